import type { Db } from '#provider/base/db/database.ts';
import type { PasswordsTable } from './tables.ts';
import { decoyId } from '#provider/base/security/derived-id.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';

export type Password = PasswordsTable;

export async function findPassword(db: Db, userId: string): Promise<Password | undefined> {
  return db.selectFrom('passwords').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/**
 * Another user's password, always the same one for the same address. Unknown addresses are compared with it, so that they take as long as
 * known ones, whatever algorithms the hashes use, and the slow ones among them are as frequent. Undefined if no user has a password.
 */
export async function somePassword(
  { db, keys, random }: Pick<Services, 'db' | 'keys' | 'random'>,
  emailKey: string,
): Promise<Password | undefined> {
  // Like the stored ids, which in a live project begin otherwise, so that every password is as likely.
  const place = decoyId({ keys, random }, 'password', emailKey);
  const ids = db.selectFrom('passwords').select('password_id').orderBy('password_id').limit(1);
  return db
    .selectFrom('passwords')
    .selectAll()
    .where('password_id', '=', (where) => where.fn.coalesce(ids.where('password_id', '>=', place), ids))
    .executeTakeFirst();
}

/** Stores the user's first password, set in the session. False if the user already has one; of simultaneous calls one wins. */
export async function createPassword(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  userId: string,
  hash: string,
  sessionId: string | null = null,
): Promise<boolean> {
  const row = await tx
    .insertInto('passwords')
    .values(freshPassword(services, userId, hash, sessionId))
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('password_id')
    .executeTakeFirst();
  return row !== undefined;
}

interface PasswordChange {
  readonly sessionId?: string | null | undefined;
  /** Whether the previous password was proven. If so, the new one keeps its age, which decides how far it is trusted. */
  readonly isProven?: boolean;
  /** If an address proved the change: when it was added. The password counts as equally old. */
  readonly provenSince?: Date | undefined;
}

/** Replaces the user's password by one that is set in the session, and clears the requirement to reset it. */
export async function setPassword(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  userId: string,
  hash: string,
  { sessionId = null, isProven = false, provenSince }: PasswordChange = {},
): Promise<void> {
  const fresh = freshPassword(services, userId, hash, sessionId);
  const password = provenSince === undefined ? fresh : { ...fresh, created_at: provenSince };
  const { added_in, created_at } = password;
  const age = isProven ? {} : { created_at };
  await tx
    .insertInto('passwords')
    .values(password)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, requires_reset: false, added_in, ...age }))
    .execute();
}

/** Replaces the hash of the same password by a stronger one. */
export async function replaceHash(tx: Db, userId: string, hash: string): Promise<void> {
  await tx.updateTable('passwords').set({ hash }).where('user_id', '=', userId).execute();
}

export function freshPassword(
  { random, clock }: Pick<Services, 'clock' | 'random'>,
  user_id: string,
  hash: string,
  added_in: string | null = null,
): PasswordsTable {
  const password_id = newId(random, 'password');
  return { password_id, user_id, hash, requires_reset: false, created_at: new Date(clock.now()), added_in };
}

/** Locks the user of a password that was compared. Null if the password was changed meanwhile, or must be reset. */
export async function holdPassword(tx: Db, { user_id, hash }: Password): Promise<LockedUser | null> {
  const user = await lockUser(tx, user_id);
  const now = await findPassword(tx, user_id);
  return user !== undefined && now?.hash === hash && !now.requires_reset ? user : null;
}

/** Requires a reset before the user can log in with a password again. */
export async function requireReset(db: Db, userId: string): Promise<void> {
  await db.updateTable('passwords').set({ requires_reset: true }).where('user_id', '=', userId).execute();
}

/** The same for one password. If another has replaced it meanwhile, nothing changes. */
export async function requireResetOf(db: Db, { user_id, hash }: Password): Promise<void> {
  const update = db.updateTable('passwords').set({ requires_reset: true });
  await update.where('user_id', '=', user_id).where('hash', '=', hash).execute();
}

export async function dropPassword(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('passwords').where('user_id', '=', userId).execute();
}
