import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Services } from '#provider/api/services.ts';
import { endOtherSessions, endSession } from '#provider/accounts/sessions/rows/ending.ts';
import { forgetBrowserOf } from '#provider/accounts/sessions/factors/trusted-devices.ts';
import { endAccess } from '#provider/accounts/users/belongings.ts';
import { lockUser, type LockedUser } from '#provider/accounts/users/lock.ts';
import { shortenRecovery } from '#provider/accounts/recovery/store.ts';
import { removeUser } from '#provider/accounts/users/store.ts';
import { auditOperator, type AuditActor } from '../desk/audit-actor.ts';
import { meantUser } from '../desk/meant-user.ts';

type PeopleServices = Pick<Services, 'db' | 'clock' | 'keys'>;

async function holdMeant(tx: Db, text: string): Promise<LockedUser> {
  const user = await lockUser(tx, await meantUser(tx, text));
  if (user === undefined) throw new Refusal('user_not_found');
  return user;
}

/**
 * Locks a user out: every session, code, link and app's access ends, and no one can log in as the user. A simultaneous login either ends
 * before and loses its session here, or waits for the user's row and is rejected.
 */
export async function lockOut(services: PeopleServices, text: string, by: AuditActor): Promise<string> {
  return transaction(services.db, async (tx) => {
    const user = await holdMeant(tx, text);
    const { user_id, lockedOut } = user;
    await endAccess(tx, user, null);
    if (lockedOut) return user_id;
    await tx
      .updateTable('users')
      .set({ locked_at: new Date(services.clock.now()) })
      .where('user_id', '=', user_id)
      .execute();
    await auditOperator(services, tx, by, { event: 'user_locked', user_id });
    return user_id;
  });
}

/** The user may log in again, with every earlier login method. */
export async function unlock(services: PeopleServices, text: string, by: AuditActor): Promise<string> {
  return transaction(services.db, async (tx) => {
    const { user_id, lockedOut } = await holdMeant(tx, text);
    if (!lockedOut) return user_id;
    await tx.updateTable('users').set({ locked_at: null }).where('user_id', '=', user_id).execute();
    await auditOperator(services, tx, by, { event: 'user_unlocked', user_id });
    return user_id;
  });
}

/** Lets the pending recovery of a user be finished immediately, for somebody whom the operator has identified. */
export async function shortenRecoveryOf(services: PeopleServices, text: string, by: AuditActor): Promise<string> {
  return transaction(services.db, async (tx) => {
    const user = await holdMeant(tx, text);
    const { user_id } = user;
    const recovery_id = await shortenRecovery(services, tx, user);
    if (recovery_id === null) throw new Refusal('bad_request', 'No recovery of this user waits.');
    await auditOperator(services, tx, by, { event: 'recovery_shortened', user_id, details: { recovery_id } });
    return user_id;
  });
}

/** Deletes a user with all belongings, except their rows in the audit log. */
export async function deletePerson(services: PeopleServices, text: string, by: AuditActor): Promise<string> {
  return transaction(services.db, async (tx) => {
    const { user_id } = await holdMeant(tx, text);
    await removeUser(tx, user_id);
    await auditOperator(services, tx, by, { event: 'user_deleted', user_id });
    return user_id;
  });
}

/** The live sessions of a user, most recently used first. */
export async function sessionsFor({ db, clock }: Pick<Services, 'db' | 'clock'>, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['session_id', 'user_id', 'started_at', 'last_accessed_at', 'expires_at', 'attributes', 'family_id'])
    .select('authentication_factors')
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(clock.now()))
    .orderBy('last_accessed_at', 'desc')
    .orderBy('session_id')
    .limit(1000)
    .execute();
}

/** Ends all sessions of a user, or only the given one. */
export async function endSessions(
  services: PeopleServices,
  which: { readonly user: string } | { readonly session_id: string },
  by: AuditActor,
): Promise<number> {
  return transaction(services.db, async (tx) => {
    const one = 'session_id' in which ? which.session_id : null;
    const session =
      one === null
        ? undefined
        : await tx
            .selectFrom('sessions')
            .select(['user_id', 'trusted_device_id'])
            .where('session_id', '=', one)
            .executeTakeFirst();
    const owner = 'user' in which ? await meantUser(tx, which.user) : session?.user_id;
    if (owner === undefined) throw new Refusal('session_not_found');
    const user = await holdMeant(tx, owner);
    if (one !== null && !(await endSession(tx, one))) throw new Refusal('session_not_found');
    if (session !== undefined) await forgetBrowserOf(tx, session);
    const ids = one === null ? await endOtherSessions(services, tx, user, null) : [one];
    const session_ids = ids.slice(0, 100);
    await auditOperator(services, tx, by, {
      event: 'sessions_revoked',
      user_id: owner,
      details: { count: ids.length, session_ids },
    });
    return ids.length;
  });
}

const USERS_AT_ONCE = 100;

/**
 * Ends the sessions of all users, and what was authorized in them, for example after a leak. Goes through the users one by one, each with a
 * row in the audit log. After a failure the others stay as they are, and the command can be repeated.
 *
 * @returns the number of sessions that ended
 */
export async function endAllSessions(services: PeopleServices, by: AuditActor): Promise<number> {
  const now = new Date(services.clock.now());
  let count = 0;
  for (let after = '', isOver = false; !isOver;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const users = await services.db
      .selectFrom('sessions')
      .select('user_id')
      .distinct()
      .where('user_id', '>', after)
      .where('expires_at', '>', now)
      .orderBy('user_id')
      .limit(USERS_AT_ONCE)
      .execute();
    for (const { user_id } of users) {
      // oxlint-disable-next-line no-await-in-loop -- the embedded database has one connection
      count += await endSessions(services, { user: user_id }, by).catch(noneIfDeleted);
    }
    after = users.at(-1)?.user_id ?? after;
    isOver = users.length < USERS_AT_ONCE;
  }
  return count;
}

/** The user was deleted meanwhile, with the sessions. */
function noneIfDeleted(error: unknown): number {
  if (error instanceof Refusal && error.type === 'user_not_found') return 0;
  throw error;
}
