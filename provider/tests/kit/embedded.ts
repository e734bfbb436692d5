import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, type PGlite as PGliteConnection } from 'kysely';
import type { Database, Db } from '../../src/db/database.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { template } from '../../src/db/template.ts';

/**
 * Empty embedded databases for tests. Starting one takes half a second of computing, emptying one a tenth of that, so the files
 * of a worker pass them on.
 */

interface Embedded {
  readonly pglite: PGlite;
  /** What its schema consists of: a database whose schema a test has changed is not passed on. */
  readonly schema: string;
}

const idle: Embedded[] = [];
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

async function start(): Promise<Embedded> {
  const pglite = await PGlite.create({ relaxedDurability: true, loadDataDir: await template() });
  return { pglite, schema: await schemaOf(pglite) };
}

async function giveBack(embedded: Embedded): Promise<void> {
  const { pglite, schema } = embedded;
  if (idle.length >= MOST_IDLE || (await schemaOf(pglite)) !== schema) return pglite.close();
  const { rows } = await pglite.query<{ tables: string }>(TABLES);
  const removed = (await pglite.query(`select 1 where to_regclass('server_keys') is null`)).rows.length > 0;
  // The audit log refuses to be emptied, except by the owner of the database.
  await pglite.exec(`set session_replication_role = replica;
    truncate ${rows[0]?.tables} restart identity cascade; ${removed ? KEYS_TABLE : ''};
    set session_replication_role = default`);
  idle.push(embedded);
}

/** One test's use of a database. It ends with `close`: what is still running then cannot reach the next test. */
class Lease implements PGliteConnection {
  closed = false;
  readonly ready = true;
  readonly waitReady = Promise.resolve();
  private transactions = 0;

  constructor(private readonly embedded: Embedded) {}

  get query(): PGliteConnection['query'] {
    return this.open().query.bind(this.embedded.pglite) as PGliteConnection['query'];
  }

  async transaction<T>(work: Parameters<PGliteConnection['transaction']>[0]): Promise<T> {
    this.transactions += 1;
    try {
      return (await this.open().transaction(work)) as T;
    } finally {
      this.transactions -= 1;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    // A transaction that never ends would hold up the next test.
    await (this.transactions > 0 ? this.embedded.pglite.close() : giveBack(this.embedded));
  }

  private open(): PGlite {
    if (this.closed) throw new Error('this database has been given back');
    return this.embedded.pglite;
  }
}

/** An empty embedded database with every migration applied; `destroy()` gives it back. */
export async function emptyEmbedded(): Promise<Db> {
  const lease = new Lease(idle.pop() ?? (await start()));
  return new Kysely<Database>({ dialect: new PGliteDialect({ pglite: lease }) });
}
