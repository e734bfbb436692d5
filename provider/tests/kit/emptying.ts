import type { PostgresPool } from 'kysely';

/**
 * Emptying a test database instead of making another one. To copy a database of PostgreSQL takes 130 ms and to start an embedded one
 * half a second; to empty one through a connection that did it before takes some milliseconds.
 */

/** Runs a statement on one connection; resolves with the column `value` of its rows. */
type Run = (statement: string) => Promise<readonly string[]>;

/**
 * The first start of a server drops the table in which older versions kept their keys. A test database keeps it, empty, for the next first
 * start; and changes of the schema would have every statement planned anew.
 */
export const dropsKeysTable = (statement: string): boolean => statement === 'drop table if exists server_keys';
/** Statements that may change the schema or the session. */
const CHANGES = /\b(?:create|alter|drop|truncate)\b|^\s*(?:do|discard|deallocate|listen|reset|set(?!\s+local))\b/iu;
export const changesMore = (statement: string): boolean => CHANGES.test(statement);

const TABLES = `select quote_ident(relname) as value from pg_class where relnamespace = 'public'::regnamespace
  and relkind in ('r', 'p') and not relispartition and relname not like 'kysely\\_%' order by 1`;
const USED_SEQUENCES = `select format('select setval(%L, start_value, false) as value from pg_sequences where sequencename = %L',
  format('%I', sequencename), sequencename) as value from pg_sequences where schemaname = 'public' and last_value is not null`;

async function onOne<T>(pool: PostgresPool, work: (run: Run) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(async (statement) => {
      const { rows } = await client.query<{ value: unknown }>(statement, []);
      return rows.map(({ value }) => String(value));
    });
  } finally {
    client.release();
  }
}

/** A statement that selects the names of the tables that have rows. */
export const selectFilled = (pool: PostgresPool): Promise<string> =>
  onOne(pool, async (run) => {
    const tables = await run(TABLES);
    return tables.map((name) => `select '${name}' as value where exists (select from ${name})`).join(' union all ');
  });

/** Empties a database, through the statement that `selectFilled` made for it. */
export const empty = (pool: PostgresPool, filled: string): Promise<void> =>
  onOne(pool, async (run) => {
    const names = await run(filled);
    const restarts = await run(USED_SEQUENCES);
    await run('begin');
    try {
      // Fires no trigger: the audit log refuses to be emptied.
      await run('set local session_replication_role = replica');
      // oxlint-disable no-await-in-loop -- on one connection
      for (const name of names) await run(`delete from ${name}`);
      for (const restart of restarts) await run(restart);
      // oxlint-enable no-await-in-loop
    } finally {
      await run('commit');
    }
  });
