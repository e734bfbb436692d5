import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { temporaryKeys } from '#provider/base/security/server-keys.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { sweepAuditMonths } from '#provider/operation/retention/audit-months.ts';
import { EITHER_DATABASE, freshStore, MINUTE, PATIENCE, type Fields } from '../kit/harness.ts';
import { listedIf } from '#tests/soak-tests.ts';

const ROW = `insert into audit_log (created_at, event, outcome, actor_kind) values`;

const run = async (db: Db, statement: string): Promise<readonly Fields[]> =>
  (await sql<Fields>`${sql.raw(statement)}`.execute(db)).rows;

/** The partitions, with how many rows each has. */
async function partitions(db: Db): Promise<Readonly<Record<string, number>>> {
  const names = await run(
    db,
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass`,
  );
  const counts = await Promise.all(names.map(({ name }) => run(db, `select count(*)::integer as rows from ${name}`)));
  return Object.fromEntries(names.map(({ name }, place) => [String(name), Number(counts[place]?.[0]?.['rows'])]));
}

/** The name of the partition of the month that begins so many months after this one. */
const month = (ahead: number): string => {
  const now = new Date();
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
  return `audit_log_${date.toISOString().slice(0, 7).replace('-', '_')}`;
};

/** Months of the past, as a server made them that ran then. */
async function makePast(db: Db, ...months: readonly number[]): Promise<void> {
  for (const ahead of months)
    await run(db, `do $$ declare
      starts timestamptz := (date_trunc('month', now() at time zone 'UTC') + interval '${ahead} months') at time zone 'UTC';
    begin
      create table ${month(ahead)} (like audit_log_default including all excluding identity);
      execute format('alter table audit_log attach partition ${month(ahead)} for values from (%L) to (%L)', starts,
        (starts at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    end $$`); // prettier-ignore
}

/** As the log is a year after the migration, and without a month and a row. */
async function empty(db: Db): Promise<void> {
  const months = Object.keys(await partitions(db)).filter((name) => name !== 'audit_log_default');
  for (const name of months) await run(db, `drop table ${name}`);
  for (const change of ['disable trigger user', 'enable trigger user']) {
    await run(db, `alter table audit_log_default ${change}`);
    if (change.startsWith('disable')) await run(db, 'truncate audit_log_default');
  }
}

describe.each(EITHER_DATABASE)('the audit log in months, on %s', (_, url) => {
  let db: Db;
  let address: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshStore(url);
    ({ drop } = fresh);
    address = fresh.store.kind === 'postgres' ? fresh.store.url : '';
    db = await openDatabase(fresh.store, undefined, PATIENCE);
  });
  beforeEach(() => empty(db));
  afterAll(async () => {
    await db.destroy();
    await drop();
  });

  it('has this month and the next two made by the sweep, once by several processes', async () => {
    await Promise.all([1, 2, 3, 4].map(() => sweepAuditMonths(db)));
    expect(await partitions(db)).toEqual({ audit_log_default: 0, [month(0)]: 0, [month(1)]: 0, [month(2)]: 0 });
    await run(db, `${ROW} (now(), 'login', 'ok', 'user'), (now() + interval '5 years', 'login', 'ok', 'user')`);
    expect(await partitions(db)).toMatchObject({ audit_log_default: 1, [month(0)]: 1 });
    expect(await run(db, 'select seq from audit_log order by seq')).toHaveLength(2);
    for (const table of ['audit_log', 'audit_log_default', month(0)])
      for (const change of [`truncate ${table}`, `delete from ${table}`, `update ${table} set event = ''`])
        await expect(run(db, change)).rejects.toThrow('append-only');
  });

  it('keeps what comes without a month, and moves it there when that is made', async () => {
    await run(db, `${ROW} (now(), 'first', 'ok', 'user'), (now(), 'second', 'ok', 'user')`);
    const before = await run(db, 'select * from audit_log order by seq');
    await sweepAuditMonths(db);
    expect(await partitions(db)).toMatchObject({ audit_log_default: 0, [month(0)]: 2 });
    expect(await run(db, 'select * from audit_log order by seq')).toEqual(before);
    await expect(run(db, 'delete from audit_log_default')).resolves.toEqual([]);
    await run(db, `${ROW} (now() + interval '5 years', 'login', 'ok', 'user')`);
    await expect(run(db, 'delete from audit_log_default')).rejects.toThrow('append-only');
  });

  it('leaves a month where it is of which many rows are without one', async () => {
    await run(db, `${ROW.replace('values', '')} select now(), 'login', 'ok', 'user' from generate_series(1, 10001)`);
    await sweepAuditMonths(db);
    expect(await partitions(db)).toEqual({ audit_log_default: 10_001, [month(1)]: 0, [month(2)]: 0 });
  });

  it('loses a month as a whole when all of it is older than a year, and no younger one', async () => {
    await makePast(db, -15, -14, -13, -11);
    await run(db, `${ROW} ${[-15, -14, -13, -11].map((ahead) => `(date_trunc('month', now()) + interval '${ahead} months 10 days', 'login', 'ok', 'user')`).join()}`); // prettier-ignore
    await sweepAuditMonths(db);
    const left = await partitions(db);
    expect(left).not.toHaveProperty(month(-15));
    expect(left).not.toHaveProperty(month(-14));
    expect(left).toMatchObject({ [month(-11)]: 1, [month(0)]: 0 });
  });

  // An embedded database has the clock of its process.
  listedIf(url !== undefined, it)('loses nothing early by the clock of a process that is years ahead', async () => {
    await makePast(db, -11);
    await run(db, `${ROW} (date_trunc('month', now()) - interval '11 months', 'login', 'ok', 'user'), (now(), 'login', 'ok', 'user'), (now(), 'login', 'refused', 'user')`); // prettier-ignore
    const clock = { now: () => Date.now() + 3 * 366 * 24 * 60 * MINUTE };
    // Embedded databases of other files would time their statements by it, and never rest again: the file has a process of its own.
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
    onTestFinished(() => void vi.useRealTimers());
    await sweep({ db, clock, keys: await temporaryKeys(), dev: false });
    vi.useRealTimers();
    expect(await partitions(db)).toEqual({ audit_log_default: 0, [month(-11)]: 1, [month(0)]: 2, [month(1)]: 0, [month(2)]: 0 }); // prettier-ignore
  });

  listedIf(url !== undefined, it)(
    'keeps no write waiting for a reader when a month ends, and drops that later',
    async () => {
      await sweepAuditMonths(db);
      await makePast(db, -13);
      const reader = new pg.Client({ connectionString: address });
      await reader.connect();
      await reader.query('begin');
      await reader.query('select count(*) from audit_log');
      await sweepAuditMonths(db);
      expect(await partitions(db)).toHaveProperty(month(-13));
      await run(db, `${ROW} (now(), 'login', 'ok', 'user')`);
      await reader.query('commit');
      await reader.end();
      await sweepAuditMonths(db);
      expect(await partitions(db)).toEqual({ audit_log_default: 0, [month(0)]: 1, [month(1)]: 0, [month(2)]: 0 });
    },
  );

  it('has its months made although a wrong clock made some far ahead', async () => {
    await makePast(db, 12, 13);
    await sweepAuditMonths(db);
    expect(Object.keys(await partitions(db)).sort()).toEqual(
      [...[0, 1, 2, 12, 13].map(month), 'audit_log_default'].sort(),
    );
  });

  listedIf(url !== undefined, it)(
    'has an error told before a month is missing that a long transaction prevents, and while an old one stays',
    async () => {
      const reader = new pg.Client({ connectionString: address });
      await reader.connect();
      onTestFinished(() => reader.end());
      const read = async (): Promise<void> => {
        await reader.query('rollback');
        await reader.query('begin');
        await reader.query('select count(*) from audit_log');
      };
      await makePast(db, 0);
      await read();
      await expect(sweepAuditMonths(db)).rejects.toThrow('no month can be made');
      await reader.query('rollback');
      await makePast(db, 1);
      await read();
      // The month after the next has time.
      await sweepAuditMonths(db);
      expect(await partitions(db)).not.toHaveProperty(month(2));
      await reader.query('rollback');
      await makePast(db, -18);
      await read();
      await expect(sweepAuditMonths(db)).rejects.toThrow('no month can be dropped');
    },
  );

  listedIf(url !== undefined, it)(
    'has its months made and dropped for a role that does not own it, and can do no more',
    async () => {
      await makePast(db, -15, -3);
      const role = `server_${new URL(address).pathname.slice(1)}`;
      await run(db, `create role ${role}`);
      await run(db, `grant select, insert, update, delete on all tables in schema public to ${role}`);
      await db.connection().execute(async (connection) => {
        await run(connection, `set role ${role}`);
        await sweepAuditMonths(connection);
        await run(connection, `${ROW} (now(), 'login', 'ok', 'user')`);
        await expect(run(connection, `drop table ${month(-3)}`)).rejects.toThrow('must be owner');
        await run(connection, 'reset role');
      });
      expect(await partitions(db)).toMatchObject({ [month(-3)]: 0, [month(0)]: 1 });
      expect(await partitions(db)).not.toHaveProperty(month(-15));
      await run(db, `drop owned by ${role}`);
      await run(db, `drop role ${role}`);
    },
  );
});
