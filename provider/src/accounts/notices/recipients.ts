import type { ContactRecord, Notice } from './history.ts';

/**
 * Selects the contacts to notify: all addresses, and numbers only if there is no address, the number was removed, or the notice is about a
 * recovery.
 */
export function recipientsOf(
  now: readonly ContactRecord[],
  before: readonly ContactRecord[],
  changes: readonly Notice[],
): readonly ContactRecord[] {
  const added = new Set(changes.filter(({ event }) => event === 'factor.added').map(({ factor_id }) => factor_id));
  const contacts = [...before, ...now.filter(({ method_id }) => !before.some((each) => each.method_id === method_id))];
  const recipients = contacts.filter(({ method_id }) => !added.has(method_id));
  const emails = recipients.filter(({ kind }) => kind === 'email');
  const phones = recipients.filter(({ kind }) => kind === 'phone');
  const isRecovery = changes.some(({ event }) => event.startsWith('recovery.'));
  if (isRecovery || emails.length === 0) return [...emails, ...phones];
  return [...emails, ...phones.filter(({ removed }) => removed)];
}
