import type { Db } from '../db/database.ts';

declare const locked: unique symbol;

/**
 * A user whose row this transaction has locked. Functions that change an account require one, so that the lock cannot
 * be forgotten.
 */
export interface LockedUser {
  readonly user_id: string;
  readonly [locked]: true;
}

/**
 * Locks the user's row until the transaction ends. Undefined if the user was removed.
 *
 * Logins, additions, verifications, resets, revocations and deletions of one user run one after another: each of these
 * transactions locks the user's row before it reads the data that it decides by (session, address, password, factors).
 */
export async function lockUser(tx: Db, userId: string): Promise<LockedUser | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : held(row.user_id);
}

/** A user that this transaction made: no other transaction can see the row yet. */
export function held(user_id: string): LockedUser {
  return { user_id } as LockedUser;
}
