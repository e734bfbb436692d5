import type { Db } from '../db/database.ts';
import type { PasswordsTable } from './tables.ts';
import { newId } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { lockUser, type LockedUser } from '../users/lock.ts';

export type Password = PasswordsTable;

export async function findPassword(db: Db, userId: string): Promise<Password | undefined> {
  return db.selectFrom('passwords').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** The user's first password. False when there was one already: of many at once one wins. */
export async function createPassword(services: Services, tx: Db, userId: string, hash: string): Promise<boolean> {
  const made = await tx
    .insertInto('passwords')
    .values(fresh(services, userId, hash))
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('password_id')
    .executeTakeFirst();
  return made !== undefined;
}

/** The user's password from now on; the one before, and the need to reset it, are gone. */
export async function setPassword(services: Services, tx: Db, userId: string, hash: string): Promise<void> {
  await tx
    .insertInto('passwords')
    .values(fresh(services, userId, hash))
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ hash, requires_reset: false }))
    .execute();
}

function fresh({ random, clock }: Services, user_id: string, hash: string): PasswordsTable {
  const password_id = newId(random, 'password');
  return { password_id, user_id, hash, requires_reset: false, created_at: new Date(clock.now()) };
}

/** The user of a password that was compared, locked. Null when it was changed, or must be reset, meanwhile. */
export async function holdPassword(tx: Db, { user_id, hash }: Password): Promise<LockedUser | null> {
  const user = await lockUser(tx, user_id);
  const now = await findPassword(tx, user_id);
  return user !== undefined && now?.hash === hash && !now.requires_reset ? user : null;
}

/** From now on only a reset lets the user in with a password. */
export async function requireReset(db: Db, userId: string): Promise<void> {
  await db.updateTable('passwords').set({ requires_reset: true }).where('user_id', '=', userId).execute();
}

export async function dropPassword(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('passwords').where('user_id', '=', userId).execute();
}
