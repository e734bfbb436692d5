import { sql } from 'kysely';
import { executed } from '#provider/base/db/migrate.ts';
import type { Db } from '#provider/base/db/database.ts';

/** The number of rows read at a time. */
const BATCH = 500;

/** The line before the rows of a table. */
export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** A digest of all rows that does not depend on their order. */
  readonly digest: string;
}

/** The line before the tables. */
export interface DatabaseHead {
  readonly migrations: readonly string[];
  readonly sequences: readonly { readonly name: string; readonly value: number }[];
  readonly tables: number;
}

/**
 * The database as lines of JSON: its head, then each table's head and its rows as texts. It is one transaction, so nothing changes between
 * two tables. Other requests wait for it.
 */
export async function dump(db: Db, write: (line: unknown) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const tables = await tableNames(tx);
    const { rows: sequences } = await sql<{ name: string; value: number }>`select sequencename as name,
      last_value as value from pg_sequences where schemaname = 'public' and last_value is not null`.execute(tx);
    await write({ migrations: await executed(tx), sequences, tables: tables.length } satisfies DatabaseHead);
    for (const table of tables) {
      await write(await headOf(tx, table));
      await sql`declare backup no scroll cursor for select each::text as row from ${sql.table(table)} as each`.execute(
        tx,
      );
      for (;;) {
        const { rows } = await sql<{ row: string }>`fetch ${sql.lit(BATCH)} from backup`.execute(tx);
        for (const { row } of rows) await write(row);
        if (rows.length < BATCH) break;
      }
      await sql`close backup`.execute(tx);
    }
  });
}

/** The tables of the migrations, except the list of the migrations itself. The rows of a partition belong to its table. */
export async function tableNames(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'kysely%'
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/** The differences between two copies of a table. */
export async function headOf(db: Db, table: string): Promise<TableHead> {
  const { rows: columns } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`.execute(db);
  const { rows } = await sql<{ rows: number; digest: string }>`select count(*)::int as rows,
    coalesce(md5(string_agg(line, '' order by line)), '') as digest
    from (select md5(each::text) as line from ${sql.table(table)} as each) as lines`.execute(db);
  return {
    table,
    columns: columns.map(({ name }) => name),
    rows: rows[0]?.rows ?? 0,
    digest: rows[0]?.digest ?? '',
  };
}
