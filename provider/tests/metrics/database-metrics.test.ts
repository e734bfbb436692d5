import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { openMigrated, poolCountsOf } from '#provider/base/db/open.ts';
import { DATABASE_PATIENCE, type DatabasePatience } from '#provider/base/db/engine/postgres.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { PrometheusMetrics } from '#provider/base/metrics/prometheus.ts';
import { CHANNELS } from '#provider/messages/channel.ts';
import { DATABASES, EITHER_DATABASE, freshStore, makeProvider } from '../kit/harness.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
const counts = { draining: false, inProgress: 0, hashes: { running: 0, waiting: 0 } };

/** The numbers of a metric, by the values of its label. */
async function series(db: Db, name: string): Promise<Readonly<Record<string, number>>> {
  const metrics = new PrometheusMetrics({
    db,
    pool: poolCountsOf(db),
    version: '1.2.3',
    channels: CHANNELS,
    countries: ['DE'],
    process: () => counts,
  });
  const { body } = await metrics.text();
  const found = [...body.matchAll(new RegExp(`^${name}\\{\\w+="(\\w+)"\\} (\\d+)$`, 'gmu'))];
  return Object.fromEntries(found.map(([, label = '', count]) => [label, Number(count)]));
}

/** A database whose errors go nowhere: the tests expect them. */
const opened = (url: string, patience: Partial<DatabasePatience> = {}): Db =>
  openMigrated(url, false, () => undefined, { ...DATABASE_PATIENCE, ...patience });

describe.each(EITHER_DATABASE)('the metrics of transactions, on %s', (_, url) => {
  it('count those that were repeated, by cause', async () => {
    const provider = await makeProvider(url);
    const { db } = provider.services;
    const before = await series(db, 'portico_transaction_retries_total');
    expect(Object.keys(before)).toEqual(['conflict', 'deadlock', 'other']);
    for (const state of ['40001', '40P01', '40P01']) {
      let tries = 0;
      await transaction(db, async (tx) => {
        tries += 1;
        if (tries === 1) await sql.raw(`do $$ begin raise exception using errcode = '${state}'; end $$`).execute(tx);
      });
      expect(tries).toBe(2);
    }
    // An error that no other try mends.
    const wrong = transaction(db, (tx) => sql`select 1 / 0`.execute(tx));
    await expect(wrong).rejects.toMatchObject({ code: '22012' });
    const { conflict = 0, deadlock = 0, other = 0 } = before;
    expect(await series(db, 'portico_transaction_retries_total')).toEqual({
      conflict: conflict + 1,
      deadlock: deadlock + 2,
      other,
    });
    await provider.close();
  });
});

describe('the metrics of connections', () => {
  it('count requests to a database that accepts none', async () => {
    // No server listens on the first port.
    const db = opened('postgres://app@127.0.0.1:1/postgres');
    expect(await series(db, 'portico_database_refusals_total')).toEqual({ pool: 0, database: 0 });
    await expect(sql`select 1`.execute(db)).rejects.toThrow('No connection to the database.');
    // The metrics themselves ask the database, too.
    const { pool, database = 0 } = await series(db, 'portico_database_refusals_total');
    expect([pool, database >= 1]).toEqual([0, true]);
    await db.destroy();
  });

  it.runIf(POSTGRES !== undefined)('count requests that got none because all stayed in use', async () => {
    const { store, drop } = await freshStore(POSTGRES);
    const db = opened(store.kind === 'postgres' ? store.url : '', { connections: 1, acquireMs: 200 });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    // A slow machine connects only at a later try.
    const holding = await vi.waitFor(async () => {
      let hasIt: () => void = () => undefined;
      const has = new Promise<void>((resolve) => (hasIt = resolve));
      const work = db.connection().execute(async () => {
        hasIt();
        await held;
      });
      await Promise.race([has, work]);
      return { work };
    });
    const refused = (): number => poolCountsOf(db)?.().refusals.pool ?? 0;
    const before = refused();
    await expect(sql`select 1`.execute(db)).rejects.toThrow('No connection to the database.');
    expect(refused()).toBe(before + 1);
    release();
    await holding.work;
    await db.destroy();
    await drop();
  });
});
