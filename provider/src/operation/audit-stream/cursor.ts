import type { Insertable, Selectable } from 'kysely';
import { AUDIT_KEPT_MS, AUDIT_REFUSED_KEPT_MS } from '#provider/base/audit/retention.ts';
import type { AuditLogTable } from '#provider/base/audit/tables.ts';
import type { Services } from '#provider/base/services.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { chainOf, incompleteOf, type OcsfEvent } from './ocsf.ts';
import { SETTLED_MS, settledRows } from './settled-rows.ts';

/** How far the audit log was delivered. */
interface AuditStreamTable {
  name: string;
  /** The number of delivered batches. */
  batch: number;
  /** The number of the last delivered event; 0 for none. */
  last: number;
  /** The number of the last event of the batch under way, so that every attempt sends the same batch; null if there is none. */
  planned: number | null;
  /** The time up to which everything was delivered; null before the first delivery. */
  reached_at: Date | null;
}

interface AuditStreamTables {
  audit_stream: AuditStreamTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends AuditStreamTables {}
}

type CursorServices = Pick<Services, 'db' | 'clock'>;

const NAME = 'audit_log';
const START: Insertable<AuditStreamTable> = { name: NAME, batch: 0, last: 0, planned: null, reached_at: null };
/** The most events of a batch, which are a few hundred kilobytes. */
const MOST_EVENTS = 500;
/** How often the cursor's time is stored while nothing happens. */
const STORED_EVERY_MS = MINUTE_MS;

/** Events that are delivered together. */
export interface AuditBatch {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly events: readonly OcsfEvent[];
  /** The number of the last event. */
  readonly end: number;
  /** The time of the last event; null if the log no longer has any event of the batch. */
  readonly until: Date | null;
}

export interface AuditProgress {
  /** Null if everything that is settled was delivered. */
  readonly batch: AuditBatch | null;
  /** The time up to which everything was delivered; null before the first delivery. */
  readonly reachedAt: Date | null;
}

/** The next batch. Until it is delivered, it is the same for every process and attempt. */
export async function nextBatch(services: CursorServices): Promise<AuditProgress> {
  const cursor = await cursorOf(services);
  const { planned, last, reached_at: reachedAt } = cursor;
  if (planned !== null)
    return { batch: batchOf(services, cursor, planned, await rowsUntil(services, cursor)), reachedAt };
  const { rows } = await settledRows(services, last, MOST_EVENTS);
  const end = rows.at(-1)?.seq;
  if (end === undefined) return { batch: null, reachedAt: await caughtUp(services, cursor) };
  const { numUpdatedRows } = await services.db
    .updateTable('audit_stream')
    .set({ planned: end })
    .where('name', '=', NAME)
    .where('batch', '=', cursor.batch)
    .where('planned', 'is', null)
    .executeTakeFirst();
  // Another process planned a batch first.
  if (numUpdatedRows === 0n) return nextBatch(services);
  return { batch: batchOf(services, cursor, end, rows), reachedAt };
}

/** Moves the cursor past the batch, unless another process has done so. */
export async function finishBatch(db: Services['db'], { number, end, until }: AuditBatch): Promise<void> {
  await db
    .updateTable('audit_stream')
    .set({ batch: number, last: end, planned: null, ...(until === null ? {} : { reached_at: until }) })
    .where('name', '=', NAME)
    .where('batch', '=', number - 1)
    .where('planned', '=', end)
    .execute();
}

async function cursorOf({ db }: CursorServices): Promise<Selectable<AuditStreamTable>> {
  const cursor = () => db.selectFrom('audit_stream').selectAll().where('name', '=', NAME);
  const found = await cursor().executeTakeFirst();
  if (found !== undefined) return found;
  await db
    .insertInto('audit_stream')
    .values(START)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return cursor().executeTakeFirstOrThrow();
}

function rowsUntil({ db }: CursorServices, { last, planned }: Selectable<AuditStreamTable>) {
  const rows = db.selectFrom('audit_log').selectAll().where('seq', '>', last).where('seq', '<=', planned);
  return rows.orderBy('seq').execute();
}

async function caughtUp({ db, clock }: CursorServices, cursor: Selectable<AuditStreamTable>): Promise<Date> {
  const now = new Date(clock.now() - SETTLED_MS);
  if (now.getTime() - (cursor.reached_at?.getTime() ?? 0) >= STORED_EVERY_MS) {
    await db
      .updateTable('audit_stream')
      .set({ reached_at: now })
      .where('name', '=', NAME)
      .where('batch', '=', cursor.batch)
      .execute();
  }
  return now;
}

function batchOf(
  { clock }: CursorServices,
  { batch, last, reached_at: since }: Selectable<AuditStreamTable>,
  end: number,
  rows: readonly Selectable<AuditLogTable>[],
): AuditBatch {
  const age = since === null ? 0 : clock.now() - since.getTime();
  const gap = age > AUDIT_KEPT_MS ? 'any' : age > AUDIT_REFUSED_KEPT_MS ? 'refused' : null;
  return {
    number: batch + 1,
    events: [
      ...(gap === null || since === null ? [] : [incompleteOf(since, gap, last)]),
      ...chainOf(rows, last === 0 ? null : last),
    ],
    end,
    until: rows.at(-1)?.created_at ?? null,
  };
}
