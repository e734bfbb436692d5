import type { User } from '../../../src/domain/user.ts';
import type { Db } from '../db/database.ts';
import { Refusal, type RefusalType } from '../http/refusal.ts';
import type { LockedUser } from './lock.ts';
import { dropPasscodes } from '../otps/store.ts';
import { dropPassword } from '../passwords/store.ts';
import { readUser } from './store.ts';

/** Removes one of the user's own; false when it is unknown or another's. */
export type Remove = (tx: Db, id: string, userId: string) => Promise<boolean>;

export const removeEmail: Remove = async (tx, id, userId) => {
  const removed = await tx
    .deleteFrom('emails')
    .where('email_id', '=', id)
    .where('user_id', '=', userId)
    .returning('email_id')
    .executeTakeFirst();
  if (removed !== undefined) await dropPasscodes(tx, id);
  return removed !== undefined;
};

export const removePhoneNumber: Remove = async (tx, id, userId) => {
  const removed = await tx
    .deleteFrom('phone_numbers')
    .where('phone_id', '=', id)
    .where('user_id', '=', userId)
    .returning('phone_id')
    .executeTakeFirst();
  if (removed !== undefined) await dropPasscodes(tx, id);
  return removed !== undefined;
};

export const removeTotp: Remove = async (tx, id, userId) => {
  const removed = await tx
    .deleteFrom('totps')
    .where('totp_id', '=', id)
    .where('user_id', '=', userId)
    .returning('totp_id')
    .executeTakeFirst();
  return removed !== undefined;
};

interface Removal {
  readonly id: string;
  readonly user: LockedUser;
  readonly remove: Remove;
  readonly unknown: RefusalType;
}

/**
 * The user without what was removed. Refuses to remove the last way in: an account that nobody can enter is lost to
 * its user, and whoever stole a session would lose it for them. A password counts with the address that it is used
 * with and goes with the last one; an authenticator app lets nobody in by itself.
 */
export async function removeFrom(tx: Db, { id, user: locked, remove, unknown }: Removal): Promise<User> {
  const { user_id: userId } = locked;
  if (/\0|\p{Surrogate}/u.test(id) || !(await remove(tx, id, userId))) throw new Refusal(unknown);
  const user = await readUser(tx, userId);
  const ways = [user.emails, user.phone_numbers, user.webauthn_registrations, user.providers, user.crypto_wallets];
  if (ways.every((list) => list.length === 0)) throw new Refusal('cannot_delete_last_factor');
  if (user.emails.length > 0 || user.password === null) return user;
  await dropPassword(tx, userId);
  return { ...user, password: null };
}
