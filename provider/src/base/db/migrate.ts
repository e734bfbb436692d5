import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { BASELINE_NAME, countedFrom, REMEDY } from './before-baseline.ts';
import { sqlState } from './database-errors.ts';
import type { Db } from './database.ts';
import { Lease } from './statements/lease.ts';
import { MigrationSteps } from './migration-steps.ts';
import { isStepwise, type Migration, type Migrations } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';

/** The key of the lock. Earlier versions, which used Kysely's migrator, use the same lock. */
const LOCK = '3853314791062309107';

/** The schema is too new for this version. */
export class SchemaTooNew extends Error {}

/** The schema is of an older version, and this process must not change it. */
export class SchemaTooOld extends Error {}

export interface SchemaState {
  /** Migrations of this version that the database lacks. */
  readonly pending: readonly string[];
  /** Migrations of the database that this version does not know, because a newer version made them. */
  readonly newer: readonly string[];
}

/**
 * Compares the schema with this version's. A newer schema is normal while servers are replaced and after a rollback, because migrations
 * only add what older versions ignore. A migration that removes something has a name with the oldest migration that a version must know to
 * run without it: `0040_drop_nicknames_after_0031`. Rejects with SchemaTooOld if the schema is older than the baseline.
 */
export async function schemaState(db: Db, migrations: Migrations = MIGRATIONS): Promise<SchemaState> {
  const names = Object.keys(migrations).sort();
  const done = countedFrom(await executed(db));
  if (done === null) throw new SchemaTooOld(`its schema is of a version before the baseline: ${REMEDY}.`);
  const newer = [...done].filter((name) => !names.includes(name)).sort();
  const newest = names.at(-1) ?? '';
  const removing = newer.find((name) => newest < (/_after_(\d{4})$/u.exec(name)?.[1] ?? ''));
  if (removing !== undefined) {
    throw new SchemaTooNew(`this version is too old for the schema, which a newer version changed (${removing}).`);
  }
  return { pending: names.filter((name) => !done.has(name)), newer };
}

/**
 * Brings the database to this version's schema. Each migration is a transaction, or builds indexes without blocking writes, or has steps,
 * each in its own transaction. If the process ends in between, the next one continues from there. If there are several processes, one
 * migrates and the others wait.
 *
 * @returns the names of the migrations that ran here
 */
export async function migrate(db: Db, migrations: Migrations = MIGRATIONS): Promise<readonly string[]> {
  const ran: string[] = [];
  let [next] = (await schemaState(db, migrations)).pending;
  await recordBaseline(db);
  while (next !== undefined) {
    if (await runnerOf(migrations[next] ?? [])(db, migrations, next)) ran.push(next);
    // Another process may have continued meanwhile.
    [next] = (await schemaState(db, migrations)).pending;
  }
  return ran;
}

/** Records the baseline in a database that has all migrations it replaced. Their names stay, so that earlier servers keep running. */
async function recordBaseline(db: Db): Promise<void> {
  const isDue = async (on: Db): Promise<boolean> => {
    const names = await executed(on);
    return !names.includes(BASELINE_NAME) && countedFrom(names)?.has(BASELINE_NAME) === true;
  };
  if (!(await isDue(db))) return;
  await underLock(db, async (tx) => {
    if (await isDue(tx)) await record(tx, BASELINE_NAME);
  });
}

/** A statement that runs outside of a transaction, and can be repeated after an interruption. */
const CONCURRENTLY = /^create (?:unique )?index concurrently if not exists (\w+) /u;

/** A statement that waits for a table blocks all later ones, even reads. So it gives up soon, and tries again. */
const LOCK_MS = 500;
const LOCK_TRIES = 120;
const LOCK_TIMEOUT = '55P03';

/** Runs a migration. False if another process did it. */
type Runner = (db: Db, migrations: Migrations, name: string) => Promise<boolean>;

function runnerOf(migration: Migration): Runner {
  if (isStepwise(migration)) return inSteps;
  return migration.every((statement) => CONCURRENTLY.test(statement)) ? buildIndexes : inTransaction;
}

const inTransaction: Runner = async (db, migrations, name) => {
  const migration = migrations[name] ?? [];
  const done = await attempt(db, migrations, name, async (tx) => {
    for (const statement of isStepwise(migration) ? [] : migration) await sql.raw(statement).execute(tx);
    return true;
  });
  return done === true;
};

const inSteps: Runner = async (db, migrations, name) => {
  const migration = migrations[name] ?? [];
  const steps = new MigrationSteps(name, isStepwise(migration) ? migration.steps : []);
  for (;;) {
    const done = await attempt(db, migrations, name, (tx) => steps.next(tx));
    if (done !== false) return done === true;
  }
};

/**
 * Runs a part of the migration. Records the migration if that was the last part. Null if another process completed it.
 *
 * @param work resolves with whether it was the last part
 */
function attempt(
  db: Db,
  migrations: Migrations,
  name: string,
  work: (tx: Db) => Promise<boolean>,
): Promise<boolean | null> {
  return underLock(db, async (tx) => {
    await sql`create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null)`.execute(tx);
    const { pending } = await schemaState(tx, migrations);
    if (pending[0] !== name) return null;
    const isLast = await work(tx);
    if (isLast) await record(tx, name);
    return isLast;
  });
}

/**
 * A transaction that only one process at a time runs to change the schema. The lock belongs to the transaction, because a pooler may send
 * later statements through another connection.
 */
async function underLock<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (tx) => {
        // The process that migrates may take long.
        await limit(tx, 0);
        await sql`select pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(tx);
        await limit(tx, LOCK_MS);
        return work(tx);
      });
    } catch (error) {
      if (sqlState(error) !== LOCK_TIMEOUT || tries === LOCK_TRIES) throw error;
      await sleep(LOCK_MS + Math.random() * LOCK_MS);
    }
  }
}

async function limit(tx: Db, lockMs: number): Promise<void> {
  await sql`select set_config(name, value, true) from (values ('lock_timeout', ${String(lockMs)}), ('statement_timeout', '0'),
    ('idle_in_transaction_session_timeout', '0')) as limits (name, value)`.execute(tx);
}

async function record(db: Db, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})
    on conflict (name) do nothing`.execute(db);
}

const WAIT_MS = 250;

/**
 * Builds the indexes without blocking writes. Meanwhile PostgreSQL waits for every older transaction. So the process that builds holds a
 * lease instead of a lock: another process would wait for the lock in a transaction, and both would wait forever. False if another process
 * did it.
 */
async function buildIndexes(db: Db, migrations: Migrations, name: string): Promise<boolean> {
  const migration = migrations[name] ?? [];
  const lease = new Lease(db, 'migrations');
  while (!(await lease.hold())) await sleep(WAIT_MS);
  const renewal = setInterval(() => void lease.hold().catch(() => undefined), 1_000);
  try {
    if ((await schemaState(db, migrations)).pending[0] !== name) return false;
    for (const statement of isStepwise(migration) ? [] : migration) await buildIndex(db, statement);
    await record(db, name);
    return true;
  } finally {
    clearInterval(renewal);
    await lease.release();
  }
}

/** An interrupted build leaves an invalid index behind: it is not used, but every write updates it. */
async function buildIndex(db: Db, statement: string): Promise<void> {
  const index = CONCURRENTLY.exec(statement)?.[1] ?? '';
  const { rows } = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`.execute(
    db,
  );
  if (rows.length > 0) await sql`drop index concurrently if exists ${sql.ref(index)}`.execute(db);
  await sql.raw(statement).execute(db);
}

/** The names of the migrations that the database has. */
export async function executed(db: Db): Promise<readonly string[]> {
  const { rows: tables } = await sql<{
    there: boolean;
  }>`select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (tables[0]?.there !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}
