import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { migrate } from '#provider/base/db/migrate.ts';
import type { MigrationStep } from '#provider/base/db/migration.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { DATABASES, EITHER_DATABASE, freshStore, isSecond, PATIENCE } from '../kit/harness.ts';
import { listedIf, soakIt } from '#tests/soak-tests.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
const NAME = '9030_counted';
/** More than two batches. */
const ROWS = 12_000;

/** Counts how often each row was changed. */
const BACK_FILL = `with due as (select id from filled where id > coalesce(nullif($1, ''), '0')::integer order by id limit $2),
  done as (update filled set times = times + 1 where id in (select id from due) returning id)
  select max(id)::text as cursor from done`;
const STEPS: readonly MigrationStep[] = [
  [`alter table filled add column times integer not null default 0`],
  { backFill: BACK_FILL },
  [`create index filled_times on filled (times) where times <> 1`],
];
const migrations = (steps: readonly MigrationStep[] = STEPS) => ({ ...MIGRATIONS, [NAME]: { steps } });

const count = async (db: Db, condition: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::integer as n from filled where ${sql.raw(condition)}`.execute(db)).rows[0]?.n ?? -1; // prettier-ignore
const progress = async (db: Db) => {
  const { rows: there } = await sql<{ name: string | null }>`select to_regclass('migration_steps')::text as name`.execute(db); // prettier-ignore
  if (there[0]?.name === null) return null;
  return (await sql<{ step: number; cursor: string }>`select step, cursor from migration_steps`.execute(db)).rows[0];
};

describe.each(EITHER_DATABASE)('a migration that is made of steps, on %s', (_, url) => {
  let db: Db;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshStore(url);
    drop = fresh.drop;
    db = await openDatabase(fresh.store, undefined, PATIENCE);
  });
  beforeEach(async () => {
    await sql`drop table if exists filled, earlier, migration_steps`.execute(db);
    await sql`delete from kysely_migration where name >= '9'`.execute(db);
    await sql`create table filled (id integer primary key)`.execute(db);
    await sql`insert into filled select generate_series(1, ${sql.lit(ROWS)})`.execute(db);
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
  });

  it('changes each row once, and leaves no trace of its progress', async () => {
    expect(await migrate(db, migrations())).toEqual([NAME]);
    expect(await count(db, 'times = 1')).toBe(ROWS);
    expect(await progress(db)).toBeNull();
    expect(await migrate(db, migrations())).toEqual([]);
  });

  listedIf(!isSecond(url), it)(
    'keeps the steps and batches before one that fails, and goes on with that one',
    async () => {
      const failing = { backFill: BACK_FILL.replace('times + 1', 'times + 1 / (id - 9000)') };
      await expect(migrate(db, migrations([...STEPS.slice(0, 1), failing, ...STEPS.slice(2)]))).rejects.toThrow(
        'division by zero',
      );
      const reached = await progress(db);
      expect(reached?.step).toBe(1);
      const cursor = Number(reached?.cursor);
      expect(cursor).toBeGreaterThan(0);
      expect(cursor).toBeLessThan(9000);
      await sql`update filled set times = 1 where id <= ${cursor}`.execute(db);
      expect(await migrate(db, migrations())).toEqual([NAME]);
      expect(await count(db, 'times <> 1')).toBe(0);
    },
  );

  listedIf(!isSecond(url), soakIt)(
    'does not take the progress of another one, which a newer version puts before it',
    async () => {
      const failing = { backFill: BACK_FILL.replace('times + 1', 'times + 1 / (id - 9000)') };
      await expect(migrate(db, migrations([...STEPS.slice(0, 1), failing]))).rejects.toThrow('division by zero');
      const { cursor } = (await progress(db)) ?? { cursor: '' };
      const earlier = { steps: [[`create table earlier (id integer)`], [`insert into earlier values (1)`]] };
      const both = { ...MIGRATIONS, '9020_earlier': earlier, [NAME]: { steps: STEPS } };
      expect(await migrate(db, both)).toEqual(['9020_earlier', NAME]);
      expect((await sql`select id from earlier`.execute(db)).rows).toEqual([{ id: 1 }]);
      // The batches of the migration that failed had changed nothing yet: they are not repeated.
      expect(await count(db, `times <> case when id <= ${Number(cursor)} then 0 else 1 end`)).toBe(0);
      expect(await progress(db)).toBeNull();
    },
  );

  listedIf(!isSecond(url), soakIt)('is done once by two processes that start at the same time', async () => {
    const ran = await Promise.all([migrate(db, migrations()), migrate(db, migrations())]);
    expect(ran.flat()).toEqual([NAME]);
    expect(await count(db, 'times = 1')).toBe(ROWS);
  });
});

describe.runIf(POSTGRES !== undefined)('a migration of many rows that is killed', () => {
  it('loses and repeats nothing, while others write', async () => {
    const { store, drop } = await freshStore(POSTGRES);
    const address = store.kind === 'postgres' ? store.url : '';
    const db = await openDatabase(store, undefined, PATIENCE);
    const migrating = await openDatabase(store, undefined, PATIENCE);
    const held = new pg.Client({ connectionString: address });
    await held.connect();
    await sql`create table filled (id integer primary key, note integer, times integer not null default 0)`.execute(db);
    await sql`insert into filled (id) select generate_series(1, ${sql.lit(ROWS)})`.execute(db);
    const steps = STEPS.slice(1);
    // A row in the last third, which a request holds: the migration waits for it, and others do not wait for the migration.
    const stuck = Math.floor(ROWS * 0.9);
    await held.query('begin');
    await held.query(`update filled set note = 1 where id = ${stuck}`);
    const ended = migrate(migrating, migrations(steps)).then(
      () => 'done',
      () => 'killed',
    );
    await expect.poll(async () => Number((await progress(db))?.cursor ?? 0)).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        await sql`update filled set note = 2 where id = 1`.execute(db);
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'with due%'`.execute(db);
        return rows.length;
      })
      .toBeGreaterThan(0);
    expect(await ended).toBe('killed');
    expect(await count(db, 'times = 0')).toBeGreaterThan(0);
    const { cursor } = (await progress(db)) ?? { cursor: '0' };
    expect(await count(db, `times <> case when id <= ${cursor} then 1 else 0 end`)).toBe(0);
    await held.query('rollback');
    expect(await migrate(db, migrations(steps))).toEqual([NAME]);
    expect(await count(db, 'times <> 1')).toBe(0);
    await held.end();
    await migrating.destroy();
    await db.destroy();
    await drop();
  });
});
