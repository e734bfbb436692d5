import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database, Db } from '#provider/base/db/database.ts';
import { executed, migrate, schemaState, SchemaTooOld } from '#provider/base/db/migrate.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { template } from '#provider/base/db/template.ts';
import { dump, headOf, tableNames } from '#provider/operation/backup/dump.ts';
import { load } from '#provider/operation/backup/load.ts';
import { DATABASES, freshStore, PATIENCE } from '../kit/harness.ts';
import { openPool } from '../kit/postgres.ts';

/** A database as the version before the baseline left it, with some rows. */
const SCHEMA = readFileSync(new URL('schema-0143.sql', import.meta.url), 'utf8');
const BASELINE = '0144_baseline';
const AFTER = Object.keys(MIGRATIONS).filter((name) => name !== BASELINE);
const LAST = '0143_folded_texts';
const REFUSED =
  'its schema is of a version before the baseline: start it once with the version of 29 November 2026, which brings it to 0143_folded_texts.';

describe.each(DATABASES)('a database of the version before the baseline, on %s', (_, url) => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function embedded(): Promise<PGlite> {
    const pglite = await PGlite.create({ relaxedDurability: true, loadDataDir: await template() });
    ends.push(() => pglite.close());
    return pglite;
  }
  const over = (pglite: PGlite): Db => new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });

  /** Opens the database as each of several servers does when it starts; with null as it is. */
  async function opener(schema: string): Promise<(migrating?: boolean | null) => Promise<Db>> {
    if (url === undefined) {
      const pglite = await embedded();
      await pglite.exec(`drop schema public cascade; create schema public; ${schema}`);
      return async (migrating = true) => {
        if (migrating === true) await migrate(over(pglite));
        return over(pglite);
      };
    }
    const { store, drop } = await freshStore(url, 'template1');
    ends.push(drop);
    const client = new pg.Client({ connectionString: store.kind === 'postgres' ? store.url : '' });
    await client.connect();
    await client.query(schema);
    await client.end();
    return async (migrating = true) => {
      const pool = () => openPool(store.kind === 'postgres' ? store.url : '');
      const db =
        migrating === null
          ? new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool() }) })
          : await openDatabase(store, undefined, PATIENCE, migrating);
      ends.push(() => db.destroy());
      return db;
    };
  }

  /** An empty database with the schema of this version. */
  async function current(): Promise<Db> {
    if (url === undefined) return over(await embedded());
    const { store, drop } = await freshStore(url);
    ends.push(drop);
    const db = await openDatabase(store, undefined, PATIENCE);
    ends.push(() => db.destroy());
    return db;
  }

  const heads = async (db: Db) => Promise.all((await tableNames(db)).map((table) => headOf(db, table)));
  /** What is in these columns, which later migrations keep. */
  const contents = async (db: Db, tables: Awaited<ReturnType<typeof heads>>) =>
    Promise.all(
      tables.map(async ({ table, columns }) => {
        const row = sql`row(${sql.join(columns.map((name) => sql.ref(name)))})::text`;
        const query = sql`select ${table} as name, array_agg(${row} order by ${row}) as rows from ${sql.table(table)}`;
        return (await query.execute(db)).rows[0];
      }),
    );
  const linesOf = async (db: Db): Promise<unknown[]> => {
    const lines: unknown[] = [];
    await dump(db, async (line) => void lines.push(line));
    return lines;
  };
  const restore = async (db: Db, lines: readonly unknown[]): Promise<void> =>
    load(db, (async function* () { yield* lines; })()); // prettier-ignore

  /** Begins the work while another process changes the schema, and lets it go on once all of it waits for that. */
  const behindLock = async <T>(db: Db, work: () => readonly Promise<T>[]): Promise<readonly Promise<T>[]> =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(tx);
      const begun = work();
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
      await expect.poll(async () => (await waiting.execute(db)).rows.length, { timeout: 10_000 }).toBe(begun.length);
      return begun;
    });

  it('starts with every row, records the baseline, and keeps the names that a server of before looks for', async () => {
    const open = await opener(SCHEMA);
    // This one does not change the schema.
    const before = await open(null);
    const [names, rows] = [await executed(before), await heads(before)];
    const stored = await contents(before, rows);
    expect(names).toHaveLength(74);
    expect(rows.filter((table) => table.rows > 0).length).toBeGreaterThan(9);
    expect(await schemaState(before)).toEqual({ pending: AFTER, newer: [] });
    const db = await open();
    expect([...(await executed(db))].sort()).toEqual([...names, ...Object.keys(MIGRATIONS)].sort());
    expect(await contents(db, rows)).toEqual(stored);
    expect(await schemaState(db)).toEqual({ pending: [], newer: [] });
  });

  it('gets the migrations after the baseline, and tells of those of newer versions alone', async () => {
    const db = await (await opener(SCHEMA))(null);
    const next = { ...MIGRATIONS, '9001_nicknames': [`create table nicknames (name text)`] };
    expect((await schemaState(db, next)).pending).toEqual([...AFTER, '9001_nicknames']);
    expect(await migrate(db, next)).toEqual([...AFTER, '9001_nicknames']);
    expect(await schemaState(db)).toEqual({ pending: [], newer: ['9001_nicknames'] });
  });

  it('is brought up to date once by processes that start together', async () => {
    const open = await opener(SCHEMA);
    const starting = () => [open(), open(), open()];
    const opened = await Promise.all(await (url === undefined ? starting() : behindLock(await open(null), starting)));
    for (const db of opened) expect(await schemaState(db)).toEqual({ pending: [], newer: [] });
    expect((await executed(opened[0] as Db)).filter((name) => name === BASELINE)).toEqual([BASELINE]);
  });

  it('is refused, and stays as it is, while it has only some of the migrations', async () => {
    const open = await opener(`${SCHEMA} delete from kysely_migration where name = '${LAST}';`);
    await expect(open()).rejects.toThrow(new SchemaTooOld(REFUSED));
    if (url !== undefined) await expect(open(false)).rejects.toThrow(new SchemaTooOld(REFUSED));
    const other = await (await opener(SCHEMA))(null);
    await sql`delete from kysely_migration where name > '0001_z'`.execute(other);
    await expect(migrate(other)).rejects.toThrow(new SchemaTooOld(REFUSED));
    expect(await executed(other)).toEqual(['0001_sign_in_by_email']);
  });

  it('has backups that are restored, unless they are older', async () => {
    const from = await (await opener(SCHEMA))(null);
    const lines = await linesOf(from);
    const head = lines[0] as { readonly migrations: readonly string[] };
    expect(head.migrations).not.toContain(BASELINE);
    const to = await current();
    await restore(to, lines);
    expect(await heads(to)).toEqual(await heads(from));
    // The next start brings it up to date.
    expect(await schemaState(to)).toEqual({ pending: AFTER, newer: [] });
    expect(await executed(to)).toEqual([BASELINE]);

    const older = { ...head, migrations: head.migrations.filter((name) => name !== LAST) };
    await expect(restore(to, [older, ...lines.slice(1)])).rejects.toThrow(
      'is of a version before the baseline; restore it with that version, start it once with the version of 29 November 2026',
    );
    const newer = { ...head, migrations: [...head.migrations, BASELINE, '9001_nicknames'] };
    await expect(restore(to, [newer, ...lines.slice(1)])).rejects.toThrow('was made by a newer version');
  });
});
