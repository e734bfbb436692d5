import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';
import { onEveryConnection } from '#provider/base/db/open.ts';

/** How far a clock is ahead of the real time, or the time at which it is stopped. */
export interface MovedTime {
  readonly movedMs: number;
  readonly frozenAt: number | null;
}

/** An unlikely name of a role, because PostgreSQL searches a schema with the role's name first. */
const SCHEMA = 'portico_dev_time';
const CLOCK = sql.id(SCHEMA, 'clock');

/**
 * Makes the database's triggers, which write the events for webhooks, use the time of a developer's clock: the connections of this process
 * find `clock_timestamp()` in a separate schema before PostgreSQL's. Servers without `--dev` do not search this schema, so they use the
 * real time on the same database.
 *
 * @returns a function that moves the time of the database
 */
export async function databaseTime(db: Db): Promise<(time: MovedTime) => Promise<void>> {
  const move = async ({ movedMs, frozenAt }: MovedTime): Promise<void> => {
    const at = frozenAt === null ? null : new Date(frozenAt);
    await sql`update ${CLOCK} set moved = ${movedMs} * interval '1 millisecond', frozen_at = ${at}::timestamptz`.execute(
      db,
    );
  };
  await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(db);
  await checkOwner(db);
  await sql`create table if not exists ${CLOCK} (
    is_only boolean primary key default true check (is_only), moved interval not null, frozen_at timestamptz)`.execute(
    db,
  );
  await sql`insert into ${CLOCK} (moved) values (interval '0') on conflict do nothing`.execute(db);
  await sql`create or replace function ${sql.id(SCHEMA, 'clock_timestamp')}() returns timestamptz language sql as $$
    select coalesce(frozen_at, pg_catalog.clock_timestamp() + moved) from ${CLOCK} $$`.execute(db);
  // Left by an earlier run.
  await move({ movedMs: 0, frozenAt: null });
  await onEveryConnection(
    db,
    // Before the other schemas, in which roles with fewer rights may have put functions with the names of PostgreSQL's.
    `select set_config('search_path', '${SCHEMA}, pg_catalog, ' || current_setting('search_path'), false)`,
  );
  return move;
}

/** Refuses another role's schema: its functions would run with this role's rights. */
async function checkOwner(db: Db): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`select nspowner = current_user::regrole as mine
    from pg_catalog.pg_namespace where nspname = ${SCHEMA}`.execute(db);
  if (rows[0]?.mine !== true) throw new Error(`the schema ${SCHEMA} belongs to another role`);
}
