import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';

declare const locked: unique symbol;

/**
 * A user whose row this transaction has locked. Functions that change an account require it as a parameter, so that the lock cannot be
 * forgotten.
 */
export interface LockedUser {
  readonly user_id: string;
  /** Whether an operator locked the user's account: they cannot log in. */
  readonly lockedOut: boolean;
  readonly [locked]: true;
}

/**
 * Locks the user's row until the transaction ends. Undefined if the user was removed.
 *
 * Logins, additions, verifications, resets, revocations and deletions of one user run one after another: each of these transactions locks
 * the user's row before it reads the data for its decision (session, address, password, factors).
 */
export async function lockUser(tx: Db, userId: string): Promise<LockedUser | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(['user_id', 'locked_at'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : lockedUser(row.user_id, row.locked_at !== null);
}

/**
 * Holds the user's row until the transaction ends, so that no other transaction locks or removes it. False if the user was removed.
 *
 * Call this first in a function that locks rows of a user without `lockUser`. PostgreSQL locks the rows that a new row references. So
 * without this call the function would wait for the user at its end, while another transaction that has locked the user waits for its rows.
 */
export async function holdUser(tx: Db, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** A locked user to whom a factor is added, and the session in which that happens; null if the app's own server vouches for them. */
export interface HeldUser {
  readonly user: LockedUser;
  readonly session: { readonly session_id: string } | null;
}

/** A user that this transaction created. Other transactions cannot see the row yet. */
export function lockedUser(user_id: string, lockedOut = false): LockedUser {
  return { user_id, lockedOut } as LockedUser;
}

/** Refuses a user whose account an operator locked. The row is locked, so no login can slip in while the account is being locked. */
export function checkNotLockedOut({ lockedOut }: LockedUser): void {
  if (lockedOut) throw new Refusal('user_locked');
}
