import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import type { NoticeDetails } from '#provider/base/notices/tables.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';
import type { Services } from '../services.ts';
import { TOLERATED_MS, waitingRecoveries, type Recovery } from './store.ts';

const SETTLED_AT_ONCE = 20;

/**
 * Stores which messages about a recovery's start this server must deliver. Nobody is notified that the recovery can be finished until each
 * of them is delivered or given up. Messages that another program delivers are not awaited. Neither are any if an operator shortened the
 * recovery before its start was reported.
 *
 * @param started the details of the notice
 */
export async function awaitDeliveries(
  { carried }: Pick<Services, 'carried'>,
  tx: Db,
  { recovery_id, available_at }: NoticeDetails,
  messages: readonly InboxMessage[],
): Promise<void> {
  const ids = messages.filter(({ channel }) => carried?.has(channel) === true).map(({ id }) => id);
  if (ids.length === 0 || recovery_id === undefined || available_at === undefined) return;
  await tx
    .updateTable('recoveries')
    .set({ undelivered: JSON.stringify(ids) })
    .where('recovery_id', '=', recovery_id)
    .where('state', '=', 'waiting')
    .where('available_at', '=', new Date(available_at))
    .execute();
}

/**
 * Ends the wait for messages once all of them are delivered or given up. If the last one was late, as after an outage of the mail server,
 * the end of the recovery is postponed by the same time, so that people have the whole wait to stop it. A message that was delivered in
 * time is removed from the list even while others are under way, because its row is deleted a day later.
 */
export async function settleDeliveries({ clock }: Pick<Services, 'clock'>, tx: Db): Promise<void> {
  const found = await waitingRecoveries(tx)
    .where('undelivered', 'is not', null)
    .where(
      sql<boolean>`(not exists (select from outbox where outbox.state = 'waiting'
        and outbox.id in (select jsonb_array_elements_text(recoveries.undelivered)))
        or exists (select from outbox where outbox.sent_at - outbox.at <= ${TOLERATED_MS}::float8 * interval '1 millisecond'
        and outbox.id in (select jsonb_array_elements_text(recoveries.undelivered))))`,
    )
    .orderBy('started_at')
    .limit(SETTLED_AT_ONCE)
    .execute();
  for (const recovery of found) {
    const { undelivered, started_at } = recovery;
    const messages = await messagesOf(tx, undelivered ?? []);
    const inTime = new Set(messages.filter(({ delay }) => delay !== null && delay <= TOLERATED_MS).map(({ id }) => id));
    const others = (undelivered ?? []).filter((id) => !inTime.has(id));
    if (messages.some(({ isUnderWay }) => isUnderWay)) {
      await keepWaiting(tx, recovery, others);
    } else {
      const rest = messages.filter(({ id }) => !inTime.has(id));
      // Rows are deleted a day after delivery. If one is missing, either nobody looked for that long, or the message was late.
      const unknown = rest.length < others.length ? clock.now() - started_at.getTime() : 0;
      const late = Math.max(unknown, ...rest.map(({ delay }) => delay ?? 0));
      await settle(tx, recovery, late > TOLERATED_MS ? late : 0);
    }
  }
}

interface SentMessage {
  readonly id: string;
  readonly isUnderWay: boolean;
  /** The delay between writing and delivery in milliseconds; null if it was not delivered. */
  readonly delay: number | null;
}

/** Those of the messages that still have rows. */
async function messagesOf(tx: Db, ids: readonly string[]): Promise<readonly SentMessage[]> {
  const rows = await tx.selectFrom('outbox').select(['id', 'state', 'at', 'sent_at']).where('id', 'in', ids).execute();
  return rows.map(({ id, state, at, sent_at }) => ({
    id,
    isUnderWay: state === 'waiting',
    delay: sent_at === null ? null : sent_at.getTime() - at.getTime(),
  }));
}

async function keepWaiting(tx: Db, { recovery_id }: Recovery, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('recoveries')
    .set({ undelivered: JSON.stringify(ids) })
    .where('recovery_id', '=', recovery_id)
    .where('undelivered', 'is not', null)
    .execute();
}

/** Adds to the current end, because an operator may have shortened the recovery meanwhile. That also ends the wait. */
async function settle(tx: Db, { recovery_id }: Recovery, late: number): Promise<void> {
  const later = (column: 'available_at' | 'expires_at') =>
    sql<Date>`${sql.ref(column)} + ${late}::float8 * interval '1 millisecond'`;
  const settled = await tx
    .updateTable('recoveries')
    .set({ undelivered: null, available_at: later('available_at'), expires_at: later('expires_at') })
    .where('recovery_id', '=', recovery_id)
    .where('undelivered', 'is not', null)
    .returning('expires_at')
    .executeTakeFirst();
  // The links that stop the recovery stay valid as long.
  const until = settled?.expires_at;
  if (until === undefined) return;
  await tx.updateTable('notice_links').set({ expires_at: until }).where('recovery_id', '=', recovery_id).execute();
}
