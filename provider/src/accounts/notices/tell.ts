import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tryTake } from '#provider/base/security/limits.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';
import type { NoticeServices } from './services.ts';
import { awaitDeliveries, settleDeliveries } from '../recovery/deliveries.ts';
import { announceRecoveries } from '../recovery/announce.ts';
import { postponeUntold } from '../recovery/store.ts';
import { lockUser } from '../users/lock.ts';
import { contactsBefore, contactsNow, lastOf, UNDO_MS, type Notice } from './history.ts';
import { settingOf } from './items.ts';
import { writeNotices } from './write.ts';

/** The hourly messages to one user: for changes that are always reported, and for the others. Excess ones are combined and sent later. */
const ALWAYS = { max: 12, windowMs: 60 * MINUTE_MS };
const OTHERS = { max: 6, windowMs: 60 * MINUTE_MS };
const LATER_MS = 15 * MINUTE_MS;
/** A day longer than a link is valid, so that the link finds the changes that it undoes. */
const KEPT_MS = UNDO_MS + 24 * 60 * MINUTE_MS;
const USERS_AT_ONCE = 20;

const isOfRecovery = ({ event }: Notice): boolean => event.startsWith('recovery.');

/**
 * Writes the messages about unreported changes, for some users at a time. If several processes run it, each handles different users, or
 * waits for the user's row and finds nothing left.
 *
 * @returns how many users it handled
 */
export async function tellDue(services: NoticeServices): Promise<number> {
  const { db, clock } = services;
  await transaction(db, async (tx) => {
    await settleDeliveries(services, tx);
    await announceRecoveries(services, tx);
  });
  const due = await db
    .selectFrom('notices')
    .select(['user_id', sql<readonly string[]>`json_agg(distinct concat(event, ' ', factor_type))`.as('kinds')])
    .where('told_at', 'is', null)
    .where((where) => where.or([where('due_at', 'is', null), where('due_at', '<=', new Date(clock.now()))]))
    .groupBy('user_id')
    .orderBy((query) => query.fn.min('notice_id'))
    .limit(USERS_AT_ONCE)
    .execute();
  for (const { user_id, kinds } of due) {
    if (await takeQuota(services, user_id, kinds)) await tellUser(services, user_id);
    else await tellLater(services, user_id);
  }
  return due.length;
}

/** Counts a message to the user. The count is taken outside of the transaction: the embedded database has one connection. */
async function takeQuota(services: NoticeServices, userId: string, kinds: readonly string[]): Promise<boolean> {
  const settings = kinds.map((kind) => {
    const [event, factor_type] = kind.split(' ') as [Notice['event'], Notice['factor_type']];
    return settingOf({ event, factor_type });
  });
  if (settings.every((setting) => setting !== null && !services.project.notices[setting])) return true;
  return settings.includes(null)
    ? tryTake(services, `notices:always:${userId}`, ALWAYS)
    : tryTake(services, `notices:others:${userId}`, OTHERS);
}

async function tellLater({ db, clock }: NoticeServices, userId: string): Promise<void> {
  await db
    .updateTable('notices')
    .set({ due_at: new Date(clock.now() + LATER_MS) })
    .where('user_id', '=', userId)
    .where('told_at', 'is', null)
    .execute();
}

/** Rolls back, so that the complete message is sent later. */
class TooEarly extends Error {}

/**
 * Reports all changes. If the notice of a recovery must wait (its text message cannot be sent now), the other changes are reported without
 * it.
 */
async function tellUser(services: NoticeServices, userId: string): Promise<void> {
  if (await tryDeliver(services, userId)) return;
  await tryDeliver(services, userId, { withRecoveries: false });
  await tellLater(services, userId);
}

/** False if nothing was reported. */
async function tryDeliver(
  services: NoticeServices,
  userId: string,
  which: { readonly withRecoveries: boolean } = { withRecoveries: true },
): Promise<boolean> {
  try {
    await tellAll(services, userId, which);
    return true;
  } catch (error) {
    if (error instanceof TooEarly) return false;
    throw error;
  }
}

async function tellAll(
  services: NoticeServices,
  userId: string,
  { withRecoveries }: { readonly withRecoveries: boolean },
): Promise<void> {
  const allMessages = await transaction(services.db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user === undefined) return [];
    const untold: Notice[] = [];
    for (const notice of await takeUntold(services, tx, userId, withRecoveries)) {
      const isStart = notice.event === 'recovery.started';
      // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
      const details = isStart ? await postponeUntold(services, tx, user, notice.details) : notice.details;
      untold.push({ ...notice, details });
    }
    const notices = untold.filter((notice) => {
      const setting = settingOf(notice);
      return setting === null || services.project.notices[setting];
    });
    const now = await contactsNow(tx, userId);
    const before = contactsBefore(now, untold);
    const messages: InboxMessage[] = [];
    for (const changes of [notices.filter((each) => !isOfRecovery(each)), notices.filter(isOfRecovery)]) {
      if (changes.length === 0) continue;
      const batch = await writeNotices(services, tx, { userId, changes, now, before });
      if (batch === null) throw new TooEarly('Not everybody who should hear of it can be reached now.');
      messages.push(...batch);
      // If several recoveries were started, only the last one can still be pending: the others were canceled.
      const start = lastOf(changes, ({ event }) => event === 'recovery.started');
      if (start !== undefined) await awaitDeliveries(services, tx, start.details, batch);
    }
    return messages;
  });
  for (const message of allMessages) services.inbox.publish(message);
}

/** Marks the user's changes as reported, and returns those that no other process has reported. */
async function takeUntold(
  { clock }: Pick<NoticeServices, 'clock'>,
  tx: Db,
  userId: string,
  withRecoveries: boolean,
): Promise<readonly Notice[]> {
  const now = clock.now();
  const notices = await tx
    .updateTable('notices')
    .set({ told_at: new Date(now), expires_at: new Date(now + KEPT_MS) })
    .where('user_id', '=', userId)
    .where('told_at', 'is', null)
    .$if(!withRecoveries, (query) => query.where('event', 'not like', sql<never>`'recovery.%'`))
    .returningAll()
    .execute();
  return notices.sort((a, b) => a.notice_id - b.notice_id);
}
