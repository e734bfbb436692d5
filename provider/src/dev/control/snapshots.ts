import { sql, type RawBuilder } from 'kysely';
import type { Snapshot } from '#application/dev-control/dev-control.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Database, Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { endLater } from './end-later.ts';
import { wrongField } from './wrong-field.ts';

type Table = keyof Database;

/** The tables that a snapshot leaves out: the keys of the server and the settings of its project file. */
const NOT_DATA: ReadonlySet<Table> = new Set(['sealed_keys', 'signing_keys', 'webhook_endpoints']);

/** Excludes `.` and `..`, which the path of a URL cannot contain. */
const NAME = /^(?!\.{1,2}$)[\w.-]{1,64}$/u;
const MAX_SNAPSHOTS = 20;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_TOGETHER = 2 * MAX_BYTES;

/** The rows of a table in the database's format for arrays, which is exact for every type. */
interface Rows {
  readonly table: Table;
  readonly rows: string;
}

interface Sequence {
  readonly name: string;
  readonly next: number;
}

interface StoredSnapshot extends Snapshot {
  /** The columns that the rows have. */
  readonly columns: string;
  /** The latest time of any clock when it was taken. */
  readonly latest: number;
  readonly tables: readonly Rows[];
  readonly sequences: readonly Sequence[];
}

/** Copies of all data, in the memory of this process, that tests can restore. */
export class Snapshots {
  private readonly snapshots = new Map<string, StoredSnapshot>();
  private readonly tables: readonly Table[];

  /** @param tables every table of the database */
  constructor(tables: readonly Table[]) {
    this.tables = tables.filter((table) => !NOT_DATA.has(table));
  }

  list(): readonly Snapshot[] {
    return Array.from(this.snapshots.values(), summaryOf);
  }

  /** Replaces a snapshot of the same name. @param latest the latest time of any clock now */
  async take(db: Db, name: string, latest: number): Promise<Snapshot> {
    if (!NAME.test(name)) throw wrongField('name', '1 to 64 letters, digits and . _ -');
    if (!this.snapshots.has(name) && this.snapshots.size >= MAX_SNAPSHOTS) {
      throw new Refusal('bad_request', `There are ${MAX_SNAPSHOTS} snapshots already: remove one first.`);
    }
    await checkSize(db, this.tables);
    const columns = await columnsOf(db, this.tables);
    const tables = await read(db, this.tables);
    // After the rows, so that a simultaneous row does not use the number of a row that is read.
    const sequences = await sequencesOf(db, this.tables);
    const bytes = tables.reduce((sum, { rows }) => sum + rows.length, 0);
    const others = this.list().reduce((sum, each) => sum + (each.name === name ? 0 : each.bytes), 0);
    if (others + bytes > MAX_TOGETHER)
      throw new Refusal('bad_request', 'The snapshots are too large: remove one first.');
    const rows = tables.reduce((sum, { count }) => sum + count, 0);
    const snapshot: StoredSnapshot = {
      name,
      taken_at: new Date().toISOString(),
      rows,
      bytes,
      columns,
      latest,
      tables,
      sequences,
    };
    this.snapshots.set(name, snapshot);
    return summaryOf(snapshot);
  }

  /**
   * Restores every table, in one transaction that waits for those in progress.
   *
   * @param latest the latest time of any clock now: rows of the snapshot with a later time are ended
   */
  async restore(db: Db, name: string, latest: number): Promise<Snapshot> {
    const snapshot = this.find(name);
    await transaction(db, async (tx) => {
      const names = this.tables.map((table) => sql.table(table));
      await sql`lock table ${sql.join(names)} in share row exclusive mode`.execute(tx);
      if ((await columnsOf(tx, this.tables)) !== snapshot.columns) {
        throw new Refusal('bad_request', 'The tables have changed since this snapshot was taken: take another one.');
      }
      // Rows are restored unchanged: no trigger may prevent or report that. The owner of the tables may do this.
      await triggers(tx, this.tables, 'disable');
      const deletes = names.map((table, place) => sql`${part('d', place)} as (delete from ${table})`);
      await sql`with ${sql.join(deletes)} select`.execute(tx);
      const filled = snapshot.tables.filter(({ rows }) => rows !== '{}');
      const inserts = filled.map(({ table, rows }, place) => {
        const each = sql`unnest(${rows}::text::${sql.raw(`${table}[]`)})`;
        return sql`${part('i', place)} as (insert into ${sql.table(table)} overriding system value select * from ${each})`;
      });
      if (inserts.length > 0) await sql`with ${sql.join(inserts)} select`.execute(tx);
      await triggers(tx, this.tables, 'enable');
      for (const { name, next } of snapshot.sequences)
        await sql`select setval(${name}::regclass, ${next}, false)`.execute(tx);
    });
    if (snapshot.latest > latest) await endLater(db, latest);
    return summaryOf(snapshot);
  }

  remove(name: string): void {
    this.find(name);
    this.snapshots.delete(name);
  }

  private find(name: string): StoredSnapshot {
    const snapshot = this.snapshots.get(name);
    if (snapshot === undefined) throw wrongField('name', 'the name of a snapshot');
    return snapshot;
  }
}

const part = (kind: string, place: number): RawBuilder<unknown> => sql.raw(`${kind}_${place}`);

function summaryOf({ name, taken_at, rows, bytes }: StoredSnapshot): Snapshot {
  return { name, taken_at, rows, bytes };
}

async function checkSize(db: Db, tables: readonly Table[]): Promise<void> {
  const sizes = tables.map((table) => sql`pg_relation_size(${sql.lit(table)}::regclass)`);
  const { rows } = await sql<{ bytes: number }>`select (${sql.join(sizes, sql` + `)})::float8 as bytes`.execute(db);
  if ((rows[0]?.bytes ?? 0) > 4 * MAX_BYTES) {
    throw new Refusal('bad_request', 'The database is too large for a snapshot: use a separate one for tests.');
  }
}

/** The columns of the tables with their types, in the order of the rows. */
async function columnsOf(db: Db, tables: readonly Table[]): Promise<string> {
  const { rows } = await sql<{ columns: string }>`
    select string_agg(concat(attrelid::regclass, '.', attname, ' ', format_type(atttypid, atttypmod)), ', '
      order by attrelid::regclass::text, attnum) as columns
    from pg_attribute where attnum > 0 and not attisdropped
      and attrelid in (${sql.join(tables.map((table) => sql`${sql.lit(table)}::regclass`))})`.execute(db);
  return rows[0]?.columns ?? '';
}

/** One statement, which sees all tables at one moment. */
async function read(db: Db, tables: readonly Table[]): Promise<readonly (Rows & { readonly count: number })[]> {
  const parts = tables.map(
    (table) => sql`select ${sql.lit(table)}::text as "table", count(*)::int as count,
      coalesce(array_agg(t)::text, '{}') as rows from ${sql.table(table)} t`,
  );
  const { rows } = await sql<Rows & { count: number }>`${sql.join(parts, sql` union all `)}`.execute(db);
  if (rows.some((each) => each.rows.length > MAX_BYTES)) throw new Refusal('bad_request', 'The data is too large.');
  return rows;
}

/** The next numbers of the identity columns. */
async function sequencesOf(db: Db, tables: readonly Table[]): Promise<readonly Sequence[]> {
  const { rows } = await sql<Sequence>`select s.name, coalesce(pg_sequence_last_value(s.name::regclass), 0) + 1 as next
    from pg_attribute a, lateral (select pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) as name) s
    where a.attidentity <> '' and a.attrelid in (${sql.join(tables.map((table) => sql`${table}::regclass`))})`.execute(
    db,
  );
  return rows;
}

async function triggers(tx: Db, tables: readonly Table[], act: 'enable' | 'disable'): Promise<void> {
  const names = tables.map((table) => sql`${sql.lit(table)}::regclass`);
  await sql`do $$ declare t regclass; begin
    for t in select distinct tgrelid::regclass from pg_trigger
      where not tgisinternal and tgrelid in (${sql.join(names)})
    loop execute format(${sql.lit(`alter table %s ${act} trigger user`)}, t); end loop;
  end $$`.execute(tx);
}
