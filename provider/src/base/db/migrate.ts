import { sql } from 'kysely';
import type { Db } from './database.ts';
import { MIGRATIONS } from './migrations.ts';

export type Migrations = Readonly<Record<string, readonly string[]>>;

/** The key of the lock. Earlier versions, which used Kysely's migrator, take the same lock. */
const LOCK = '3853314791062309107';

/** The schema is of a version that is too new for this one. */
export class SchemaTooNew extends Error {}

/** The schema is of an older version, and this process must not change it. */
export class SchemaTooOld extends Error {}

export interface SchemaState {
  /** The migrations that this version has and the database does not. */
  readonly pending: readonly string[];
  /** The migrations that the database has and this version does not know: a newer version made them. */
  readonly newer: readonly string[];
}

/**
 * Compares the schema with this version's. A newer schema is normal while servers are replaced and after a rollback, because
 * migrations only add what older versions ignore. A migration that removes something names the oldest migration that a
 * version must know to run without it: `0040_drop_nicknames_after_0031`.
 */
export async function schemaState(db: Db, migrations: Migrations = MIGRATIONS): Promise<SchemaState> {
  const known = Object.keys(migrations).sort();
  const done = new Set(await executed(db));
  const newer = [...done].filter((name) => !known.includes(name)).sort();
  const newest = known.at(-1) ?? '';
  const removing = newer.find((name) => newest < (/_after_(\d{4})$/u.exec(name)?.[1] ?? ''));
  if (removing !== undefined) {
    throw new SchemaTooNew(`this version is too old for the schema, which a newer version changed (${removing}).`);
  }
  return { pending: known.filter((name) => !done.has(name)), newer };
}

/**
 * Brings the database to this version's schema, in one transaction. One of several processes migrates and the others wait:
 * the lock belongs to the transaction, because a pooler may run the following statements on other connections.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(db: Db, migrations: Migrations = MIGRATIONS): Promise<readonly string[]> {
  if ((await schemaState(db, migrations)).pending.length === 0) return [];
  return db.transaction().execute(async (tx) => {
    // An index on a large table takes long, and so does waiting for the process that makes it.
    await sql`select set_config(name, '0', true) from (values ('lock_timeout'), ('statement_timeout'),
      ('idle_in_transaction_session_timeout')) as limits (name)`.execute(tx);
    await sql`select pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(tx);
    await sql`create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null)`.execute(tx);
    const { pending } = await schemaState(tx, migrations);
    const began = Date.now();
    for (const [index, name] of pending.entries()) {
      for (const statement of migrations[name] ?? []) await sql.raw(statement).execute(tx);
      const at = new Date(began + index).toISOString();
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${at})`.execute(tx);
    }
    return pending;
  });
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
