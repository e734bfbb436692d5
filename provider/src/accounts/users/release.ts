import { hasProven, isTaken } from '../../../../src/domain/rules/accounts.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { endAccess } from './belongings.ts';
import { lockUser } from './lock.ts';
import { readUser } from './read-user.ts';

/** Where the addresses and the numbers are stored, and the refusal of one that stays with its user. */
const CONTACTS = {
  email: ['emails', 'email_id', 'duplicate_email'],
  phone: ['phone_numbers', 'phone_id', 'duplicate_phone_number'],
} as const;

interface HeldContact {
  readonly user_id: string;
  readonly kind: keyof typeof CONTACTS;
  /** The id of the address or number. */
  readonly id: string;
}

/**
 * Takes an address or number from a user who has not verified it, for a caller who vouches for another user. Refuses one that
 * its user has verified meanwhile, and one of a user whom the app manages.
 *
 * A sign-up that has proven nothing is removed with everything that was added to it. A user who has proven something else stays,
 * without the address and the sessions and messages from before; the password goes with the last address.
 */
export async function release(tx: Db, { user_id, kind, id }: HeldContact): Promise<void> {
  const [table, column, refusal] = CONTACTS[kind];
  const user = await lockUser(tx, user_id);
  if (user === undefined) return;
  // Reads again under the lock: the address may have been verified or removed in the meantime.
  const held = await tx
    .selectFrom(table)
    .innerJoin('users', 'users.user_id', `${table}.user_id`)
    .select(['verified', 'managed'])
    .where(tx.dynamic.ref(`${table}.${column}`), '=', id)
    .where('users.user_id', '=', user_id)
    .executeTakeFirst();
  if (held === undefined) return;
  if (isTaken(held)) throw new Refusal(refusal);
  const { emails, ...before } = await readUser(tx, user_id);
  if (!hasProven({ emails, ...before })) {
    await tx.deleteFrom('users').where('user_id', '=', user_id).execute();
    return;
  }
  await endAccess(tx, user, null);
  await tx.deleteFrom(table).where(tx.dynamic.ref(column), '=', id).execute();
  if (emails.every(({ email_id }) => email_id === id)) {
    await tx.deleteFrom('passwords').where('user_id', '=', user_id).execute();
  }
}
