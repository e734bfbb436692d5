import type { Db } from '../db/database.ts';
import { DAY_MS } from './queue.ts';
import type { Channel, DeliveryState, Kind } from './tables.ts';

/** A message as the operator sees it: without its content, and without code and link. */
export interface OutboxEntry {
  readonly seq: number;
  readonly id: string;
  readonly channel: Channel;
  readonly kind: Kind;
  readonly recipient: string;
  readonly user_id: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly at: Date;
  readonly expires_at: Date;
  readonly next_at: Date;
  readonly sent_at: Date | null;
  readonly reference: string | null;
  readonly last_error: string | null;
}

function selectEntries(db: Db) {
  return db
    .selectFrom('outbox')
    .select(['seq', 'id', 'channel', 'kind', 'recipient', 'user_id', 'state', 'attempts', 'at', 'expires_at'])
    .select(['next_at', 'sent_at', 'reference', 'last_error']);
}

export interface EntryFilter {
  readonly state?: DeliveryState | undefined;
  readonly channel?: Channel | undefined;
  readonly recipient?: string | undefined;
  /** The `seq` of the last entry of the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The messages, newest first. */
export async function listOutbox(db: Db, filter: EntryFilter): Promise<readonly OutboxEntry[]> {
  const { state, channel, recipient, before, limit } = filter;
  let query = selectEntries(db).orderBy('seq', 'desc').limit(limit);
  if (state !== undefined) query = query.where('state', '=', state);
  if (channel !== undefined) query = query.where('channel', '=', channel);
  if (recipient !== undefined) query = query.where('recipient', '=', recipient);
  if (before !== undefined) query = query.where('seq', '<', before);
  return query.execute();
}

export async function showOutbox(db: Db, id: string): Promise<OutboxEntry | undefined> {
  return selectEntries(db).where('id', '=', id).executeTakeFirst();
}

/**
 * Makes a message due at once: one that waits, or a webhook that was given up. False for any other: the content of a message that
 * was given up is erased, and its code may be known to somebody else by now.
 */
export async function retryMessage(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({
      state: 'waiting',
      attempts: 0,
      next_at: new Date(0),
      claimed_by: null,
      claimed_until: null,
      delete_at: null,
    })
    .set((row) => ({
      expires_at: row
        .case()
        .when('state', '=', 'dead')
        .then(new Date(now + DAY_MS))
        .else(row.ref('expires_at'))
        .end(),
    }))
    .where('id', '=', id)
    .where('text', '<>', '')
    .where((row) =>
      row.or([row('state', '=', 'waiting'), row.and([row('state', '=', 'dead'), row('channel', '=', 'webhook')])]),
    )
    // A message that is being delivered needs no other attempt yet.
    .where((row) => row.or([row('claimed_until', 'is', null), row('claimed_until', '<=', new Date(now))]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the rows of messages in a final state. Those that wait cannot be purged, but expire. */
export async function purgeOutbox(db: Db, state: Exclude<DeliveryState, 'waiting'>): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('outbox').where('state', '=', state).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** How many messages there are in each state, and how long the oldest that is due has been waiting. */
export async function outboxDepth(
  db: Db,
  now: number,
): Promise<Readonly<Record<DeliveryState, number>> & { readonly oldestDueMs: number }> {
  const rows = await db
    .selectFrom('outbox')
    .select(['state', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  const due = await db
    .selectFrom('outbox')
    .select((row) => row.fn.min('at').as('at'))
    .where('state', '=', 'waiting')
    .where('next_at', '<=', new Date(now))
    .executeTakeFirst();
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  const oldest = due?.at ?? null;
  return {
    waiting: 0,
    sent: 0,
    dead: 0,
    expired: 0,
    ...counts,
    oldestDueMs: oldest === null ? 0 : now - oldest.getTime(),
  };
}
