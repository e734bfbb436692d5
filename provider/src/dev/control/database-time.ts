import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { onEveryConnection } from '../../db/open.ts';

/** How far a clock is ahead of the real time, or when it stands still. */
export interface MovedTime {
  readonly movedMs: number;
  readonly frozenAt: number | null;
}

const SCHEMA = sql.id('portico_dev');
const CLOCK = sql.id('portico_dev', 'clock');

/**
 * Makes the triggers of the database, which write the events for webhooks, tell the time of a developer's clock: the connections
 * of this process find `clock_timestamp()` in a schema of its own before they find PostgreSQL's. Servers without `--dev` do not look
 * there, so they tell the real time over the same database.
 *
 * @returns moves the time of the database
 */
export async function databaseTime(db: Db): Promise<(time: MovedTime) => Promise<void>> {
  const move = async ({ movedMs, frozenAt }: MovedTime): Promise<void> => {
    const at = frozenAt === null ? null : new Date(frozenAt);
    await sql`update ${CLOCK} set moved = ${movedMs} * interval '1 millisecond', frozen_at = ${at}::timestamptz`.execute(
      db,
    );
  };
  await sql`create schema if not exists ${SCHEMA}`.execute(db);
  await sql`create table if not exists ${CLOCK} (
    is_only boolean primary key default true check (is_only), moved interval not null, frozen_at timestamptz)`.execute(
    db,
  );
  await sql`insert into ${CLOCK} (moved) values (interval '0') on conflict do nothing`.execute(db);
  await sql`create or replace function ${sql.id('portico_dev', 'clock_timestamp')}() returns timestamptz language sql as $$
    select coalesce(frozen_at, pg_catalog.clock_timestamp() + moved) from portico_dev.clock $$`.execute(db);
  // What an earlier run left.
  await move({ movedMs: 0, frozenAt: null });
  await onEveryConnection(
    db,
    `select set_config('search_path', 'portico_dev, ' || current_setting('search_path') || ', pg_catalog', false)`,
  );
  return move;
}
