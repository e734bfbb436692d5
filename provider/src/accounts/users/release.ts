import { hasProven, isTaken } from '#server-rules/accounts.ts';
import { CONTACT_KINDS, type Contact } from '#server-rules/contacts.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { endAccess } from './belongings.ts';
import { CONTACT_TABLES, type KnownContact } from './contacts.ts';
import { lockUser } from './lock.ts';
import { readUser } from './read-user.ts';

/** Frees a contact for a caller who vouches for another user. Refuses if the contact must stay with its user. */
export async function freeContact(tx: Db, contact: KnownContact): Promise<void> {
  if (isTaken(contact)) throw new Refusal(CONTACT_KINDS[contact.kind].taken);
  await release(tx, contact);
}

/**
 * Takes a contact from a user who has not verified it, for a caller who vouches for another user. Refuses if its user has verified it
 * meanwhile, or the app manages the user.
 *
 * If the sign-up has verified nothing, it is removed with everything that was added to it. A user who has verified something else stays,
 * but loses the contact and all sessions and messages so far. The password goes with the last address.
 */
export async function release(
  tx: Db,
  { user_id, kind, method_id }: Pick<Contact, 'user_id' | 'kind' | 'method_id'>,
): Promise<void> {
  const { table, id } = CONTACT_TABLES[kind];
  const user = await lockUser(tx, user_id);
  if (user === undefined) return;
  // Reads again under the lock: the contact may have been verified or removed in the meantime.
  const stored = await tx
    .selectFrom(table)
    .innerJoin('users', 'users.user_id', `${table}.user_id`)
    .select(['verified', 'managed'])
    .where(id, '=', method_id)
    .where('users.user_id', '=', user_id)
    .executeTakeFirst();
  if (stored === undefined) return;
  if (isTaken(stored)) throw new Refusal(CONTACT_KINDS[kind].taken);
  const { emails, ...before } = await readUser(tx, user_id);
  if (!hasProven({ emails, ...before })) {
    await tx.deleteFrom('users').where('user_id', '=', user_id).execute();
    return;
  }
  await endAccess(tx, user, null);
  await tx.deleteFrom(table).where(id, '=', method_id).execute();
  if (emails.every(({ email_id }) => email_id === method_id)) {
    await tx.deleteFrom('passwords').where('user_id', '=', user_id).execute();
  }
}
