import { sql } from 'kysely';
import { countedFrom, REMEDY } from '#provider/base/db/before-baseline.ts';
import { migrate } from '#provider/base/db/migrate.ts';
import type { Migrations } from '#provider/base/db/migration.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import type { Db } from '#provider/base/db/database.ts';
import { headOf, tableNames } from './dump.ts';
import { BackupError, isDatabaseHead, isTableHead } from './format.ts';

const BATCH = 200;

/** Restores the database from the lines into an empty one, and compares each table with its head. */
export async function load(db: Db, lines: AsyncIterator<unknown>, migrations: Migrations = MIGRATIONS): Promise<void> {
  const { value: head } = await lines.next();
  if (!isDatabaseHead(head)) throw new BackupError('does not begin with a database');
  const done = countedFrom(head.migrations);
  if (done === null)
    throw new BackupError(
      `is of a version before the baseline; restore it with that version, ${REMEDY}, and back it up again`,
    );
  const history = Object.entries(migrations).filter(([name]) => done.has(name));
  if (history.length < done.size) throw new BackupError('was made by a newer version; restore it with that version');
  // A new database already has the tables of this version, because making them takes seconds.
  if (history.length < Object.keys(migrations).length) {
    await sql`drop schema public cascade`.execute(db);
    await sql`create schema public`.execute(db);
  }
  await migrate(db, Object.fromEntries(history));
  await db.transaction().execute(async (tx) => {
    // The rows come in any order, so references are not checked one by one. The digests cover them.
    await sql`set local session_replication_role = replica`.execute(tx);
    const there = new Set(await tableNames(tx));
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
      const { value: table } = next;
      if (!isTableHead(table) || !there.delete(table.table)) throw new BackupError('contains an unknown table');
      await insertRows(tx, table.table, table.rows, lines);
      if (JSON.stringify(await headOf(tx, table.table)) !== JSON.stringify(table)) {
        throw new BackupError(`differs from the restored table ${table.table}`);
      }
    }
    // A first start drops tables of earlier versions.
    for (const table of there) await sql`drop table ${sql.table(table)}`.execute(tx);
    for (const { name, value } of head.sequences) await sql`select setval(${name}::regclass, ${value})`.execute(tx);
  });
}

async function insertRows(db: Db, table: string, count: number, lines: AsyncIterator<unknown>): Promise<void> {
  for (let remainder = count; remainder > 0; remainder -= BATCH) {
    const rows: string[] = [];
    while (rows.length < Math.min(remainder, BATCH)) {
      const { value: row } = await lines.next();
      if (typeof row !== 'string') throw new BackupError(`has too few rows of the table ${table}`);
      rows.push(row);
    }
    await sql`insert into ${sql.table(table)} overriding system value
      select (line::${sql.table(table)}).* from unnest(${rows}::text[]) as line`.execute(db);
  }
}
