import { Kysely, PostgresDialect, sql } from 'kysely';
import { reportToStderr, type Report } from '../log/error-log.ts';
import { openFolder, openMemory, type DataFolder } from './folder.ts';
import { usableUrl } from './engine/hosts.ts';
import { migrate, schemaState, SchemaTooOld } from './migrate.ts';
import { isPooled } from './engine/pooler.ts';
import { checkPooledSettings } from './engine/session-settings.ts';
import { GuardedPool, patientPool, type DatabasePatience, type PoolCounts } from './engine/postgres.ts';
import type { Db, Database, QueryObserver } from './database.ts';

/** Where the data is stored. */
export type Store =
  | { readonly kind: 'memory' }
  | ({ readonly kind: 'folder' } & DataFolder)
  | { readonly kind: 'postgres'; readonly url: string };

const pools = new WeakMap<Db, GuardedPool>();

/** The use of an open database's connections; null for an embedded database. */
export function poolCountsOf(db: Db): (() => PoolCounts) | null {
  const pool = pools.get(db);
  return pool === undefined ? null : () => pool.counts;
}

/**
 * A separate connection to the same database, which never waits for the others. An embedded database has only one connection, so there it
 * is the database itself. `close` ends it.
 */
export function separateConnection(db: Db, report: Report): { readonly db: Db; readonly close: () => Promise<void> } {
  const pool = pools.get(db)?.separate(report);
  if (pool === undefined) return { db, close: () => Promise.resolve() };
  const separate = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db: separate, close: () => separate.destroy() };
}

/**
 * Runs a statement on all present and later connections of an open database. Does nothing through a pooler, which shares its connections.
 */
export async function onEveryConnection(db: Db, statement: string): Promise<void> {
  const pool = pools.get(db);
  if (pool === undefined) await sql.raw(statement).execute(db);
  else await pool.onEvery(statement);
}

/**
 * Opens the store and brings its schema up to date; `destroy()` closes it.
 *
 * @param migrating false only checks the schema, and rejects with SchemaTooOld
 * @param onQuery called after every statement
 */
export async function openDatabase(
  store: Store,
  report: Report = reportToStderr,
  patience?: DatabasePatience,
  migrating = true,
  onQuery?: QueryObserver,
): Promise<Db> {
  const prepare: (db: Db) => Promise<unknown> = migrating ? migrate : check;
  if (store.kind === 'postgres') {
    const url = await usableUrl(store.url);
    const pooled = await isPooled(url);
    if (pooled) await checkPooledSettings(url);
    await openToMigrate({ ...store, url }, prepare, pooled);
    return openMigrated(store.url, pooled, report, patience, onQuery);
  }
  const db = await openEmbedded(store, onQuery);
  try {
    await prepare(db);
    return db;
  } catch (error) {
    await db.destroy().catch(() => undefined);
    throw error;
  }
}

/**
 * Connects to a PostgreSQL database with an up-to-date schema.
 *
 * @param pooled whether a pooler such as PgBouncer is in between
 */
export function openMigrated(
  url: string,
  pooled: boolean,
  report: Report = reportToStderr,
  patience?: DatabasePatience,
  onQuery?: QueryObserver,
): Db {
  const pool = new GuardedPool(url, report, patience, pooled);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: onQuery });
  pools.set(db, pool);
  return db;
}

/** Opens the store without changing its schema and without limits on waits, and closes it after `work`. */
export async function openToMigrate<T>(store: Store, work: (db: Db) => Promise<T>, pooled?: boolean): Promise<T> {
  const db = store.kind === 'postgres' ? await openPatient(store.url, pooled) : await openEmbedded(store);
  try {
    if (store.kind === 'postgres') await checkEncoding(db);
    return await work(db);
  } finally {
    await db.destroy().catch(() => undefined);
  }
}

/** A database with another encoding refuses names and addresses that it has no letters for, or counts their bytes. */
async function checkEncoding(db: Db): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding ?? '';
  if (encoding === 'UTF8') return;
  throw new Error(
    `its encoding is ${encoding}: make a database with create database … template template0 encoding 'UTF8'.`,
  );
}

async function openPatient(hosts: string, pooled?: boolean): Promise<Db> {
  const url = await usableUrl(hosts);
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: patientPool(url, pooled ?? (await isPooled(url))) }),
  });
}

async function check(db: Db): Promise<void> {
  const { pending } = await schemaState(db);
  if (pending.length > 0) {
    throw new SchemaTooOld(
      `its schema is older than this version: run portico-provider migrate (${pending.length} to do, up to ${pending.at(-1)}).`,
    );
  }
}

function openEmbedded(store: Exclude<Store, { readonly kind: 'postgres' }>, onQuery?: QueryObserver): Promise<Db> {
  return store.kind === 'folder' ? openFolder(store, onQuery) : openMemory(onQuery);
}
