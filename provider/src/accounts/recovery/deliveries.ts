import { sql } from 'kysely';
import type { Db } from '../../base/db/database.ts';
import type { InboxMessage } from '../../messages/inbox-hub.ts';
import type { Services } from '../services.ts';
import { TOLERATED_MS, type Recovery } from './store.ts';

const SETTLED_AT_ONCE = 20;

/**
 * Stores which messages of a recovery's start this server has to deliver: until each of them was delivered or given up, nobody is told
 * that the recovery can be finished. Messages that another program delivers are not waited for.
 */
export async function awaitDeliveries(
  { carried }: Pick<Services, 'carried'>,
  tx: Db,
  recovery_id: string,
  messages: readonly InboxMessage[],
): Promise<void> {
  const ids = messages.filter(({ channel }) => carried?.has(channel) === true).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('recoveries')
    .set({ undelivered: JSON.stringify(ids) })
    .where('recovery_id', '=', recovery_id)
    .where('state', '=', 'waiting')
    .execute();
}

/**
 * Ends the waiting for messages of which none is under way any more. Where the last one was delivered late, as after an outage of the mail
 * server, the end of the recovery is put off by as long: people have the whole wait to stop it.
 */
export async function settleDeliveries({ clock }: Pick<Services, 'clock'>, tx: Db): Promise<void> {
  const settled = await tx
    .selectFrom('recoveries')
    .innerJoin('users', 'users.user_id', 'recoveries.user_id')
    .selectAll('recoveries')
    .where('state', '=', 'waiting')
    .where('undelivered', 'is not', null)
    .where(
      sql<boolean>`not exists (select from outbox where outbox.state = 'waiting'
        and outbox.id in (select jsonb_array_elements_text(recoveries.undelivered)))`,
    )
    .orderBy('started_at')
    .limit(SETTLED_AT_ONCE)
    .forUpdate('users')
    .skipLocked()
    .execute();
  for (const recovery of settled) {
    const late = await lateness(tx, recovery, clock.now());
    await settle(tx, recovery, late > TOLERATED_MS ? late : 0);
  }
}

/** How much later than it was written the last message was delivered, in milliseconds; 0 where all were given up. */
async function lateness(tx: Db, { undelivered, started_at }: Recovery, now: number): Promise<number> {
  const ids = undelivered ?? [];
  const rows = await tx.selectFrom('outbox').select(['at', 'sent_at']).where('id', 'in', ids).execute();
  const delays = rows.flatMap(({ at, sent_at }) => (sent_at === null ? [] : [sent_at.getTime() - at.getTime()]));
  // A row is deleted a day after the delivery: nobody looked for so long.
  const unknown = rows.length < ids.length ? [now - started_at.getTime()] : [];
  return Math.max(0, ...delays, ...unknown);
}

/** Relative to the present end: an operator may have shortened the recovery meanwhile, which also ends the waiting. */
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
  // The links that stop it are good for as long.
  const until = settled?.expires_at;
  if (until === undefined) return;
  await tx.updateTable('notice_links').set({ expires_at: until }).where('recovery_id', '=', recovery_id).execute();
}
