import type { Values } from '../rows/row.ts';

/** The parts of a name in one text: the first word, and the rest. Written together they are the text again. */
export function nameOf(text: string | null): Values {
  const [first = '', ...rest] = (text ?? '').trim().split(/\s+/u);
  return nameOfParts(first, rest.join(' '));
}

export function nameOfParts(first: string | null, last: string | null = null, middle: string | null = null): Values {
  const parts = { first_name: first, middle_name: middle, last_name: last };
  const present = Object.entries(parts).map(([name, part]) => [name, part?.trim() ?? ''] as const);
  return Object.fromEntries(present.filter(([, part]) => part !== ''));
}
