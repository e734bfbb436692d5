import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { Database, Db } from '../database.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Inserts rows that all have the same columns. The statement has two parameters, the values that all rows share and a list of the different
 * ones, so it is the same for any number of rows. It is prepared once, instead of being built and parsed for each value. A column with
 * different values must contain strings, booleans, dates or numbers.
 *
 * @param json the columns whose values are JSON text
 * @throws TypeError if a row has other columns than the first one, or an undefined value: the database would write null, not the default
 */
export async function insertMany<Table extends keyof Database>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
  json: readonly (keyof Database[Table] & string)[] = [],
): Promise<void> {
  const records = rows as readonly Row[];
  const [first = {}] = records;
  const names = Object.keys(first);
  if (names.length === 0) return;
  for (const row of records) {
    const absent = names.find((name) => row[name] === undefined);
    if (absent === undefined && Object.keys(row).length === names.length) continue;
    const column = absent ?? Object.keys(row).find((name) => !names.includes(name)) ?? '';
    throw new TypeError(`Rows for ${table} differ in the column ${column}.`);
  }
  const various = names.filter((name) => records.some((row) => !isSame(row[name], first[name])));
  const isJson: ReadonlySet<string> = new Set(json);
  const column = (name: string): RawBuilder<unknown> => {
    if (!various.includes(name))
      return isJson.has(name) ? sql`(${own('same', name)} #>> '{}')::jsonb` : own('same', name);
    return isJson.has(name) ? sql`${own('each', name)}::jsonb` : own('each', name);
  };
  const types = various.map((name) => sql`${sql.ref(name)} ${sql.raw(typeOf(records, name))}`);
  const differing = records.map((row) => Object.fromEntries(various.map((name) => [name, row[name]])));
  const from =
    various.length === 0
      ? sql`json_array_elements(${JSON.stringify(differing)}::json)`
      : sql`json_to_recordset(${JSON.stringify(differing)}::json) as each (${sql.join(types)})`;
  await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map(column))}
    from ${from}, json_populate_record(null::${sql.table(table)}, ${JSON.stringify(first)}::json) as same`.execute(db);
}

const own = (record: 'same' | 'each', name: string): RawBuilder<unknown> => sql.ref(`${record}.${name}`);

function isSame(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  return one === other;
}

/** The type of a column with different values. */
function typeOf(rows: readonly Row[], name: string): 'boolean' | 'timestamptz' | 'numeric' | 'text' {
  const some = rows.find((row) => row[name] !== null)?.[name];
  if (typeof some === 'boolean') return 'boolean';
  if (typeof some === 'number') return 'numeric';
  return some instanceof Date ? 'timestamptz' : 'text';
}
