import type { Selectable } from 'kysely';
import type { ContactKind } from '#server-rules/contacts.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { NoticesTable } from '#provider/base/notices/tables.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { CONTACT_TABLES } from '../users/contacts.ts';

export type Notice = Selectable<NoticesTable>;

/** How long a link can undo a change. A contact other than the oldest gets a link only if the user has had it for at least as long. */
export const UNDO_MS = 7 * 24 * 60 * MINUTE_MS;

/** A verified contact that the user has, or had before a change. */
export interface ContactRecord {
  readonly kind: ContactKind;
  readonly method_id: string;
  readonly value: string;
  readonly created_at: number;
  /** Whether it was removed meanwhile. */
  readonly removed: boolean;
}

/** The verified contacts that a user has now. */
export async function contactsNow(db: Db, userId: string): Promise<readonly ContactRecord[]> {
  const found: ContactRecord[] = [];
  for (const kind of ['email', 'phone'] as const) {
    const { table, id, value } = CONTACT_TABLES[kind];
    const rows = await db
      .selectFrom(table)
      .select([`${id} as method_id`, `${value} as value`, 'created_at'])
      .where('user_id', '=', userId)
      .where('verified', '=', true)
      .execute();
    found.push(
      ...rows.map(({ created_at, ...contact }) => ({
        ...contact,
        kind,
        created_at: created_at.getTime(),
        removed: false,
      })),
    );
  }
  return found;
}

const CONTACT_TYPES: Readonly<Record<string, ContactKind>> = { email: 'email', phone_number: 'phone' };

export const contactKindOfNotice = ({ factor_type }: Pick<Notice, 'factor_type'>): ContactKind | undefined =>
  factor_type === null ? undefined : CONTACT_TYPES[factor_type];

/** The contacts that a user had before the changes, oldest first. These are the ones to notify. */
export function contactsBefore(
  now: readonly ContactRecord[],
  changes: readonly Pick<Notice, 'event' | 'factor_type' | 'factor_id' | 'details'>[],
): readonly ContactRecord[] {
  const added = new Set(changes.filter(({ event }) => event === 'factor.added').map(({ factor_id }) => factor_id));
  const removed = changes.flatMap((change): readonly ContactRecord[] => {
    const kind = contactKindOfNotice(change);
    const { event, factor_id, details } = change;
    if (kind === undefined || event !== 'factor.removed' || factor_id === null || added.has(factor_id)) return [];
    const { value = '', created_at = '' } = details;
    return [{ kind, method_id: factor_id, value, created_at: Date.parse(created_at), removed: true }];
  });
  const removedIds = new Set(removed.map(({ method_id }) => method_id));
  const stayed = now.filter(({ method_id }) => !added.has(method_id) && !removedIds.has(method_id));
  const back = removed.filter(
    ({ method_id }, place) => removed.findIndex((each) => each.method_id === method_id) === place,
  );
  return [...stayed, ...back].sort((a, b) => a.created_at - b.created_at || (a.method_id < b.method_id ? -1 : 1));
}

/**
 * Whether a contact gets the link that undoes the changes. A link must give no more power than the contact had before the change. So the
 * oldest contact always gets one. Another contact gets one only if the user has had it for a week and still has it. An intruder who adds an
 * address gets no link when the owner removes it, and cannot undo what the owner does.
 */
export function mayUndo(contact: ContactRecord, before: readonly ContactRecord[], now: number): boolean {
  if (before[0]?.method_id === contact.method_id) return true;
  return !contact.removed && now - contact.created_at >= UNDO_MS;
}

/** The changes of a user from one notice on, the oldest first. */
export async function changesSince(db: Db, userId: string, since: number): Promise<readonly Notice[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('notice_id', '>=', since)
    .orderBy('notice_id')
    .execute();
}

/** The last change for which the test is true. */
export function lastOf(changes: readonly Notice[], holds: (change: Notice) => boolean): Notice | undefined {
  return changes.reduce<Notice | undefined>((last, change) => (holds(change) ? change : last), undefined);
}
