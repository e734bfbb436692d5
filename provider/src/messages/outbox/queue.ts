import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { LONGEST_DELAY_MS } from './backoff.ts';
import type { Parcel } from './carrier.ts';
import type { Channel } from '../channel.ts';
import type { DeliveryState, OutboxTable } from './tables.ts';

/** Messages that are delivered independently of others: those of a channel, or the events of one webhook. */
export interface Lane {
  readonly channel: Channel;
  /** Null for every recipient. */
  readonly recipient: string | null;
}

export interface Claim {
  /** The claiming process. */
  readonly by: string;
  readonly now: number;
  /** When other processes may claim the rows, because this one has died. */
  readonly until: number;
  /** Always the same lanes, so that the text of the statement stays the same. A lane without capacity has the limit 0. */
  readonly lanes: readonly (Lane & { readonly limit: number })[];
}

/**
 * Claims messages that are due, in one statement. Rows that another process is claiming are skipped, so that no two processes wait for each
 * other or get the same row. New messages come first, then those that failed longest ago.
 */
export async function claim(db: Db, { by, now, until, lanes }: Claim): Promise<readonly Parcel[]> {
  const time = new Date(now);
  const due = lanes.map(({ channel, recipient, limit }) => {
    const to = recipient === null ? sql<SqlBool>`true` : sql<SqlBool>`recipient = ${recipient}`;
    return sql`select seq from (select seq from outbox
      where state = 'waiting' and channel = ${sql.lit(channel)} and ${to} and next_at <= ${time} and expires_at > ${time}
      order by next_at, seq limit ${limit} for update skip locked) as lane`;
  });
  const { rows } = await sql<Selectable<OutboxTable>>`with due as materialized (${sql.join(due, sql` union all `)})
    update outbox set attempts = attempts + 1, claimed_by = ${by}, claimed_until = ${new Date(until)},
      next_at = ${new Date(until)}
    from due where outbox.seq = due.seq returning outbox.*`.execute(db);
  return rows.sort((a, b) => a.seq - b.seq).map(parcelFrom);
}

function parcelFrom(row: Selectable<OutboxTable>): Parcel {
  const { id, channel, kind, recipient: to, subject, text, locale, template_id: templateId, values, code, link } = row;
  return {
    id,
    channel,
    kind,
    to,
    subject,
    text,
    locale,
    templateId,
    values,
    ...(code === null ? {} : { code }),
    ...(link === null ? {} : { link }),
    expiresAt: row.expires_at,
    attempt: row.attempts,
  };
}

const UNCLAIMED = { claimed_by: null, claimed_until: null } as const;
const ERASED = { subject: '', text: '', code: null, link: null, values: '{}' } as const;

export const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a message's row stays for the operator after its content was erased. */
const KEPT_MS = { sent: DAY_MS, expired: DAY_MS, dead: 7 * DAY_MS } as const;

export interface DeliveryResult {
  readonly state: Exclude<DeliveryState, 'waiting'>;
  readonly now: number;
  readonly reference?: string | undefined;
  readonly error?: string | undefined;
  /** Keeps the content until it expires. */
  readonly keepContent?: boolean | undefined;
}

/**
 * Ends the delivery of a message and erases its content. No effect if it has ended already: a sent message counts as sent even if another
 * process has claimed it meanwhile. A webhook event that is given up keeps its content, which has no secrets, so that the operator can send
 * it again.
 */
export async function settle(
  db: Db,
  { id, channel }: Pick<Parcel, 'id' | 'channel'>,
  settled: DeliveryResult,
): Promise<void> {
  const { state, now, reference = null, error, keepContent = false } = settled;
  const delete_at = new Date(now + KEPT_MS[state]);
  const contentChanges =
    state === 'dead' && channel === 'webhook' ? { expires_at: delete_at } : keepContent ? {} : ERASED;
  await db
    .updateTable('outbox')
    .set({
      ...UNCLAIMED,
      ...contentChanges,
      state,
      delete_at,
      reference,
      ...(error === undefined ? {} : { last_error: error }),
      ...(state === 'sent' ? { sent_at: new Date(now), last_error: null } : {}),
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Returns a claimed message to the queue, due again at `nextAt`. No effect if the claim was lost. */
export async function postpone(
  db: Db,
  { id }: Pick<Parcel, 'id'>,
  { by, nextAt, error }: { readonly by: string; readonly nextAt: number; readonly error: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ ...UNCLAIMED, next_at: new Date(nextAt), last_error: error })
    .where('id', '=', id)
    .where('claimed_by', '=', by)
    .where('state', '=', 'waiting')
    .execute();
}

const BATCH = 500;

/**
 * Ends messages whose code or link has expired and erases their content, except those that are being delivered. If the clock was set back,
 * messages that would wait longer than any delay become due now.
 *
 * @param expired called with the channel of each message that was not sent in time
 */
export async function expireMessages(db: Db, now: number, expired?: (channel: Channel) => void): Promise<void> {
  const time = new Date(now);
  await inBatches(async () => {
    const { rows } = await sql<{ channel: Channel; state: DeliveryState }>`update outbox
      set state = case state when 'waiting' then 'expired' else state end,
        subject = '', text = '', code = null, link = null, values = '{}', claimed_by = null, claimed_until = null,
        delete_at = coalesce(delete_at, ${new Date(now + KEPT_MS.expired)})
      where seq in (select seq from outbox
        where text <> '' and expires_at <= ${time} and (claimed_until is null or claimed_until <= ${time})
        order by expires_at limit ${sql.lit(BATCH)} for update skip locked)
      returning channel, state`.execute(db);
    for (const { channel, state } of rows) if (state === 'expired') expired?.(channel);
    return BigInt(rows.length);
  });
  await sql`update outbox set next_at = ${time}, claimed_by = null, claimed_until = null
    where seq in (select seq from outbox where state = 'waiting' and next_at > ${new Date(now + 2 * LONGEST_DELAY_MS)}
      for update skip locked)`.execute(db);
}

/** How many messages of the lane are waiting for another attempt, counting up to `most`. */
export async function countRetries(db: Db, { channel, recipient }: Lane, now: number, most: number): Promise<number> {
  const to = recipient === null ? sql<SqlBool>`true` : sql<SqlBool>`recipient = ${recipient}`;
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (select from outbox
    where state = 'waiting' and channel = ${sql.lit(channel)} and ${to} and next_at > ${new Date(now)} and claimed_until is null
      and attempts > 0 limit ${sql.lit(most)}) as retries`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Makes the waiting messages of the lane due now, because its carrier works again. */
export async function hasten(db: Db, lane: Lane, now: number): Promise<void> {
  await inBatches(async () => (await hastened(db, lane, now, sql`limit ${sql.lit(BATCH)}`)) ?? 0n);
}

/**
 * Makes one of them due now, to test whether the carrier works again: the one with the fewest attempts, if these are fewer than `attempts`.
 */
export async function hastenOne(db: Db, lane: Lane, now: number, attempts: number): Promise<void> {
  await hastened(db, lane, now, sql`and attempts < ${attempts} order by attempts, seq desc limit 1`);
}

async function hastened(db: Db, { channel, recipient }: Lane, now: number, which: RawBuilder<unknown>) {
  const time = new Date(now);
  const to = recipient === null ? sql<SqlBool>`true` : sql<SqlBool>`recipient = ${recipient}`;
  const { numAffectedRows } = await sql`update outbox set next_at = ${time} where seq in (select seq from outbox
    where state = 'waiting' and channel = ${sql.lit(channel)} and ${to} and next_at > ${time} and claimed_until is null
      ${which} for update skip locked)`.execute(db);
  return numAffectedRows;
}

/** Repeats until a batch is not full. Batches are small, so that no statement holds its locks for long. */
export async function inBatches(once: () => Promise<bigint>): Promise<void> {
  while ((await once()) >= BATCH);
}
