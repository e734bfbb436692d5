import { PGlite } from '@electric-sql/pglite';
import type { Db } from '../../src/base/db/database.ts';
import { embedded } from '../../src/base/db/embedded.ts';
import { MIGRATIONS } from '../../src/base/db/migrations.ts';
import { template } from '../../src/base/db/template.ts';

/**
 * Empty embedded databases for tests. Starting one takes half a second of computing, emptying one a tenth of that, so the files
 * of a worker pass them on.
 */

interface EmbeddedDatabase {
  readonly pglite: PGlite;
  /** What its schema consists of: a database whose schema a test has changed is not passed on. */
  readonly schema: string;
}

const idle: EmbeddedDatabase[] = [];
const MOST_IDLE = 3;

/** The first start of a server removes this table, where older versions kept their keys. */
const KEYS_TABLE = Object.values(MIGRATIONS)
  .flat()
  .find((statement) => statement.startsWith('create table server_keys'));

const OF_PUBLIC = `in (select oid from pg_class where relnamespace = 'public'::regnamespace and relname not like 'server_keys%')`;
const SCHEMA = `select md5(string_agg(part, ',' order by part)) as schema from (
  select concat(oid, relname) from pg_class where oid ${OF_PUBLIC}
  union all select concat(attrelid, attname, atttypid, attnotnull, attnum) from pg_attribute where attrelid ${OF_PUBLIC}
  union all select concat(oid, conname) from pg_constraint where conrelid ${OF_PUBLIC}
  union all select concat(oid, tgname) from pg_trigger where tgrelid ${OF_PUBLIC}
  union all select concat(oid, proname) from pg_proc where pronamespace = 'public'::regnamespace
) as parts(part)`;
const TABLES = `select string_agg(quote_ident(tablename), ',') as tables from pg_tables
  where schemaname = 'public' and tablename not like 'kysely_%'`;

async function schemaOf(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ schema: string }>(SCHEMA);
  return rows[0]?.schema ?? '';
}

async function start(): Promise<EmbeddedDatabase> {
  const pglite = await PGlite.create({ relaxedDurability: true, loadDataDir: await template() });
  return { pglite, schema: await schemaOf(pglite) };
}

async function giveBack(embedded: EmbeddedDatabase): Promise<void> {
  const { pglite, schema } = embedded;
  if (idle.length >= MOST_IDLE || (await schemaOf(pglite)) !== schema) return pglite.close();
  const { rows } = await pglite.query<{ tables: string }>(TABLES);
  const removed = (await pglite.query(`select 1 where to_regclass('server_keys') is null`)).rows.length > 0;
  // The audit log refuses to be emptied, except by the owner of the database.
  await pglite.exec(`set session_replication_role = replica;
    truncate ${rows[0]?.tables} restart identity cascade; ${removed ? KEYS_TABLE : ''};
    set session_replication_role = default;
    -- The next connection would find the names taken, and do without prepared statements.
    deallocate all`);
  idle.push(embedded);
}

/**
 * An empty embedded database with every migration applied; `destroy()` gives it back. A transaction that never ends would hold
 * up the next test, so a database with one is not passed on.
 */
export async function emptyEmbedded(): Promise<Db> {
  const own = idle.pop() ?? (await start());
  return embedded(own.pglite, { close: (busy) => (busy ? own.pglite.close() : giveBack(own)) });
}
