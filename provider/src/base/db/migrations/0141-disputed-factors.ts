/** Each kind of second factor can be disputed, as passkeys can: a link undid its addition, and its removal waits. */
export const DISPUTED_FACTORS: readonly string[] = [
  'alter table totps add column disputed_in text',
  'alter table phone_numbers add column disputed_in text',
];
