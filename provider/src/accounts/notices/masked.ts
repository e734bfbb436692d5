import type { ContactKind } from '#server-rules/contacts.ts';

const DOTS = '•••';

/** A contact in a form that others may see: `m•••@example.com`, `+1 ••• 42`. Its owner can still recognize it. */
export function masked(kind: ContactKind, value: string): string {
  if (kind === 'phone') return `${value.slice(0, 2)} ${DOTS} ${value.slice(-2)}`;
  const at = value.lastIndexOf('@');
  const [first = ''] = value;
  return `${first}${DOTS}${value.slice(at)}`;
}
