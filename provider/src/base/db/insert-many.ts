import { sql, type Insertable } from 'kysely';
import type { Database, Db } from './database.ts';

/**
 * Inserts rows that all have the same columns. They are one parameter, so that the statement is the same for any number of rows: it
 * is prepared, and not built and parsed for each value.
 *
 * @param json the columns whose values are the text of JSON
 * @throws TypeError when a row has other columns than the first one, or no value: the database would write null, not the default
 */
export async function insertMany<Table extends keyof Database>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
  json: readonly (keyof Database[Table] & string)[] = [],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return;
  for (const row of rows) {
    const absent = names.find((name) => row[name as keyof typeof row] === undefined);
    const column = absent ?? Object.keys(row).find((name) => !names.includes(name));
    if (column !== undefined) throw new TypeError(`Rows for ${table} differ in the column ${column}.`);
  }
  const isJson: ReadonlySet<string> = new Set(json);
  const values = names.map((name) => (isJson.has(name) ? sql`(${sql.ref(name)} #>> '{}')::jsonb` : sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  );
}
