import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import { sql, type Selectable } from 'kysely';
import { isActive } from '#server-rules/mfa-policy.ts';
import type { Db } from '#provider/base/db/database.ts';
import { recordNotice, withoutUndo } from '#provider/base/notices/record.ts';
import type { NoticeDetails } from '#provider/base/notices/tables.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { newId } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { endAccess } from '../users/belongings.ts';
import type { LockedUser } from '../users/lock.ts';
import type { RecoveriesTable } from './tables.ts';

export type Recovery = Selectable<RecoveriesTable>;

export const HOUR_MS = 60 * MINUTE_MS;
/** How long a recovery waits by default. */
export const DEFAULT_RECOVERY_HOURS = 24;
/** How long a recovery can be completed once its time has come. */
const OPEN_MS = 7 * 24 * HOUR_MS;

/** How long a recovery of this project waits; null if the project offers none. */
export function recoveryHoursOf({ project: { mfa } }: Pick<Services, 'project'>): number | null {
  return mfa === null ? DEFAULT_RECOVERY_HOURS : mfa.recovery_hours;
}

/** The user's pending recovery; undefined if there is none, or it was not completed in time. */
export async function waitingRecovery(
  { clock }: Pick<Services, 'clock'>,
  db: Db,
  userId: string,
): Promise<Recovery | undefined> {
  return db
    .selectFrom('recoveries')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
}

/** True if the user lost all second factors. False if an undo began the recovery: then it removes only the factors that it disputes. */
export const isOfAll = ({ ends_with_login }: Pick<Recovery, 'ends_with_login'>): boolean => ends_with_login;

/**
 * Begins the removal of all second factors of a locked user who lost them, and notifies every contact of the account. If a recovery is
 * pending already, it is returned unchanged: a repeated request neither shortens nor prolongs it, and sends nothing. A login with two
 * factors ends it.
 */
export async function beginRecovery(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  user: LockedUser,
  hours = DEFAULT_RECOVERY_HOURS,
): Promise<Recovery> {
  return (await waitingRecovery(services, tx, user.user_id)) ?? begin(services, tx, user, { hours, isOfAll: true });
}

/**
 * Begins the removal of the second factors that a link disputes, and notifies every contact of the account. It replaces a pending recovery:
 * a removal that only a mailbox has requested must always begin with messages and wait the whole time. Factors that an earlier link
 * disputed stay disputed. Otherwise the undo of a second theft would give back what the first one added.
 */
export async function beginUndo(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  user: LockedUser,
  hours: number,
): Promise<Recovery> {
  const earlier = await waitingRecovery(services, tx, user.user_id);
  await tx
    .updateTable('recoveries')
    .set({ state: 'canceled', ended_at: new Date(services.clock.now()) })
    .where('user_id', '=', user.user_id)
    .where('state', '=', 'waiting')
    .execute();
  const recovery = await begin(services, tx, user, { hours, isOfAll: false });
  if (earlier === undefined || isOfAll(earlier)) return recovery;
  for (const table of DISPUTED) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx
      .updateTable(table)
      .set({ disputed_in: recovery.recovery_id })
      .where('user_id', '=', user.user_id)
      .where('disputed_in', '=', earlier.recovery_id)
      .execute();
  }
  const { oldest_method_at, oldest_contact_at } = earlier;
  return { ...recovery, oldest_method_at, oldest_contact_at };
}

/** The tables whose rows a link can dispute. */
const DISPUTED = ['totps', 'webauthn_registrations', 'phone_numbers'] as const;

async function begin(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  { user_id }: LockedUser,
  { hours, isOfAll: ends_with_login }: { readonly hours: number; readonly isOfAll: boolean },
): Promise<Recovery> {
  await tx.deleteFrom('recoveries').where('user_id', '=', user_id).where('state', '=', 'waiting').execute();
  const now = services.clock.now();
  const available_at = new Date(now + hours * HOUR_MS);
  const recovery = await tx
    .insertInto('recoveries')
    .values({
      recovery_id: newId(services.random, 'recovery'),
      user_id,
      state: 'waiting',
      started_at: new Date(now),
      ends_with_login,
      available_at,
      expires_at: new Date(available_at.getTime() + OPEN_MS),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordNotice(tx, { user_id, event: 'recovery.started', details: linkable(recovery) });
  return recovery;
}

/** The details that the links in a message about the recovery need. */
export const linkable = ({ recovery_id, available_at, expires_at }: Recovery) => ({
  recovery_id,
  available_at: available_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

/** Ends a pending recovery of a locked user; undefined if it has ended already. */
async function end(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  { user_id }: LockedUser,
  { recovery_id, state }: Pick<Recovery, 'recovery_id' | 'state'>,
): Promise<Recovery | undefined> {
  const now = new Date(clock.now());
  return tx
    .updateTable('recoveries')
    .set({ state, ended_at: now })
    .where('recovery_id', '=', recovery_id)
    .where('user_id', '=', user_id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .$if(state === 'completed', (query) => query.where('available_at', '<=', now))
    .returningAll()
    .executeTakeFirst();
}

/** Stops a recovery; the second factors stay. False if it has ended already. */
export async function cancelRecovery(
  services: Pick<Services, 'clock'>,
  tx: Db,
  user: LockedUser,
  recovery_id: string,
): Promise<boolean> {
  if ((await end(services, tx, user, { recovery_id, state: 'canceled' })) === undefined) return false;
  await recordNotice(tx, { user_id: user.user_id, event: 'recovery.canceled' });
  return true;
}

/**
 * Removes the second factors of a locked user whose recovery has waited long enough. Ends all access, including the sessions that the
 * removed factors proved. False if the recovery has ended, or its time has not come.
 */
export async function completeRecovery(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  user: LockedUser,
  recovery_id: string,
): Promise<boolean> {
  const recovery = await end(services, tx, user, { recovery_id, state: 'completed' });
  if (recovery === undefined) return false;
  const { user_id } = user;
  await (isOfAll(recovery) ? removeAll(services, tx, recovery) : removeDisputed(tx, recovery));
  await endAccess(tx, user, null);
  await withoutUndo(tx, user_id);
  await recordNotice(tx, { user_id, event: 'recovery.completed' });
  return true;
}

/**
 * Removes the second factors that the user had when the recovery began. Later ones are not lost: removing them would let someone with only
 * the mailbox skip the wait for them.
 */
async function removeAll(
  services: Pick<Services, 'project'>,
  tx: Db,
  { user_id, started_at }: Pick<Recovery, 'user_id' | 'started_at'>,
): Promise<void> {
  for (const table of ['totps', 'webauthn_registrations'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx.deleteFrom(table).where('user_id', '=', user_id).where('created_at', '<=', started_at).execute();
  }
  if (textsAreFactors(services)) await removePhones(tx, user_id, started_at);
}

async function removeDisputed(tx: Db, { user_id, recovery_id }: Recovery): Promise<void> {
  for (const table of DISPUTED) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx.deleteFrom(table).where('user_id', '=', user_id).where('disputed_in', '=', recovery_id).execute();
  }
}

function textsAreFactors({ project: { mfa } }: Pick<Services, 'project'>): boolean {
  return isActive(mfa) && mfa.factors.some(isPhoneMethod);
}

/**
 * Removes the numbers, if the user has another verified address to log in with. An address that was added while the recovery waited does
 * not count: it may be an intruder's.
 */
async function removePhones(tx: Db, userId: string, startedAt: Date): Promise<void> {
  const emails = tx
    .selectFrom('emails')
    .select('email_id')
    .where('user_id', '=', userId)
    .where('verified', '=', true)
    .where('created_at', '<', startedAt);
  if ((await emails.executeTakeFirst()) === undefined) return;
  await tx.deleteFrom('phone_numbers').where('user_id', '=', userId).where('created_at', '<=', startedAt).execute();
}

/** Lets the pending recovery of a locked user be completed immediately. Returns its id; null if none is pending. */
export async function shortenRecovery(
  services: Pick<Services, 'clock'>,
  tx: Db,
  { user_id }: LockedUser,
): Promise<string | null> {
  const now = new Date(services.clock.now());
  const shortened = await tx
    .updateTable('recoveries')
    // An operator does not wait for messages under way, which may take longer than the recovery itself.
    .set({ available_at: sql<Date>`least(available_at, ${now}::timestamptz)`, undelivered: null })
    .where('user_id', '=', user_id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .where((where) => where.or([where('available_at', '>', now), where('undelivered', 'is not', null)]))
    .returning('recovery_id')
    .executeTakeFirst();
  return shortened?.recovery_id ?? null;
}

/** How late the message about a start may be before the wait is extended. */
export const TOLERATED_MS = 15 * MINUTE_MS;

/**
 * Postpones the end of a recovery whose start is reported late, as after an outage of the worker, so that people have the whole wait to
 * stop it. A recovery that an operator shortened meanwhile stays as it is.
 *
 * @param started the notice's details
 * @returns the details with the new times
 */
export async function postponeUntold(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  { user_id }: LockedUser,
  started: NoticeDetails,
): Promise<NoticeDetails> {
  const waiting = await waitingRecovery({ clock }, tx, user_id);
  if (waiting === undefined || waiting.recovery_id !== started.recovery_id) return started;
  const { recovery_id, started_at, available_at, expires_at } = waiting;
  const late = clock.now() - started_at.getTime();
  if (late <= TOLERATED_MS || available_at.toISOString() !== started.available_at) return started;
  const later = (time: Date): Date => new Date(time.getTime() + late);
  const times = { available_at: later(available_at), expires_at: later(expires_at) };
  await tx.updateTable('recoveries').set(times).where('recovery_id', '=', recovery_id).execute();
  return linkable({ ...waiting, ...times });
}

/** The pending recoveries. Their users are locked, so that only one process changes each. */
export const waitingRecoveries = (tx: Db) =>
  tx
    .selectFrom('recoveries')
    .innerJoin('users', 'users.user_id', 'recoveries.user_id')
    .selectAll('recoveries')
    .where('state', '=', 'waiting')
    .forUpdate('users')
    .skipLocked();
