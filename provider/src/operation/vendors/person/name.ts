import type { Values } from '../rows/row.ts';

/** The parts of a name in one text: the first word, and the rest. Written together they are the text again. */
export function nameOf(text: string | null): Values {
  const [first = '', ...rest] = (text ?? '').trim().split(/\s+/u);
  const name = { first_name: first, last_name: rest.join(' ') };
  return nameOfParts(name.first_name, name.last_name);
}

export function nameOfParts(first: string | null, last: string | null): Values {
  const parts = { first_name: first?.trim() ?? '', last_name: last?.trim() ?? '' };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== ''));
}
