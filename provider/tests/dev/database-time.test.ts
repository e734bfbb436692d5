import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { databaseClock } from '#provider/base/db/statements/clock.ts';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { databaseTime } from '#provider/dev/control/database-time.ts';
import { DevClock } from '#provider/dev/control/dev-clock.ts';
import { registerWebhooks } from '#provider/messages/webhooks/register.ts';
import { emptyEmbedded } from '../kit/embedded.ts';
import { DATABASES, freshStore } from '../kit/harness.ts';
import { SOAK } from '#tests/soak.ts';

const DAY = 24 * 60 * 60_000;

/** The time of an event that a trigger writes, relative to the real time, in days. */
async function daysAhead(db: Db): Promise<number> {
  const user_id = `user-${Math.random()}`;
  await sql`insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
    values (${user_id}, pg_catalog.now(), 'active', '{}', '{}', '{}', '[]')`.execute(db);
  const { at } = await db.selectFrom('outbox').select('at').orderBy('seq', 'desc').executeTakeFirstOrThrow();
  return Math.round((at.getTime() - Date.now()) / DAY) + 0;
}

interface OpenDatabase {
  /** For a developer's server. */
  readonly db: Db;
  /** The same data for a server without --dev, which is started later. */
  readonly reopen: () => Promise<Db>;
  readonly close: () => Promise<void>;
}

/** Two starts over one folder take seconds: usually the embedded database stays open, and forgets the settings of the session. */
async function openTwice(url: string | undefined): Promise<OpenDatabase> {
  if (url === undefined && !SOAK) {
    const { db, drop } = await emptyEmbedded();
    const reopen = async (): Promise<Db> => {
      await sql`discard all`.execute(db);
      return db;
    };
    return { db, reopen, close: drop };
  }
  const path = await mkdtemp(join(tmpdir(), 'portico-time-'));
  const { store, drop } =
    url === undefined ? { store: { kind: 'folder', path } as const, drop: undefined } : await freshStore(url);
  let db = await openDatabase(store);
  const reopen = async (): Promise<Db> => {
    await db.destroy();
    db = await openDatabase(store);
    return db;
  };
  const close = async (): Promise<void> => {
    await db.destroy();
    await drop?.();
    await rm(path, { recursive: true });
  };
  return { db, reopen, close };
}

describe.each(DATABASES)('the time of the database, on %s', (_, url) => {
  it('follows the clock of a developer in the triggers, but of no other server', async () => {
    const { db, reopen, close } = await openTwice(url);
    try {
      await registerWebhooks(db, [{ url: 'https://app.example/hook', events: null, secret: ['whsec_x'] }]);
      const real = await databaseClock(db);
      const clock = new DevClock(real, await databaseTime(db));
      // Over several connections, where there are several.
      const ahead = async () => Promise.all([1, 2, 3].map(() => daysAhead(db)));
      expect(await ahead()).toEqual([0, 0, 0]);
      await clock.change('one-test', { move_ms: 90 * DAY });
      expect(await daysAhead(db)).toBe(0);
      await clock.change(null, { move_ms: 10 * DAY });
      expect(await ahead()).toEqual([10, 10, 10]);
      await real.read();
      expect(Math.abs(real.now() - Date.now())).toBeLessThan(DAY / 2);
      real.stop();

      const production = await reopen();
      expect(await daysAhead(production)).toBe(0);
      const theirs = await databaseClock(production);
      expect(Math.abs(theirs.now() - Date.now())).toBeLessThan(DAY / 2);
      theirs.stop();
    } finally {
      await close();
    }
  });
});

describe('the changes of a clock', () => {
  it('begin from the previous one, also while the database is updated', async () => {
    const told: (() => void)[] = [];
    const moved: number[] = [];
    const clock = new DevClock({ now: () => 2e12 }, async ({ movedMs }) => {
      moved.push(movedMs);
      await new Promise<void>((resolve) => told.push(resolve));
    });
    const changes = [clock.change(null, { move_ms: 1_000 }), clock.change(null, { move_ms: 1_000 }), clock.reset(null)];
    for (const change of changes) {
      await vi.waitFor(() => expect(told).toHaveLength(1));
      told.pop()?.();
      await change;
    }
    expect(moved).toEqual([1_000, 2_000, 0]);
    expect(clock.state(null).moved_ms).toBe(0);
  });
});

const [, postgres] = DATABASES[1] ?? [];

describe.skipIf(postgres === undefined)('the time of a database with other roles', () => {
  it('runs no function of theirs', async () => {
    const { store, drop } = await freshStore(postgres);
    const weak = `weak_${randomBytes(6).toString('hex')}`;
    const db = await openDatabase(store);
    const run = async (...statements: string[]): Promise<void> => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    };
    const lowerIn = (schema: string) =>
      `create function ${schema}.lower(text) returns text language sql as 'select $1 || $1'`;
    try {
      await run(
        `create role ${weak}`,
        `do $$ begin execute format('grant create on database %I to ${weak}', current_database()); end $$`,
        `grant create on schema public to ${weak}`,
        `set role ${weak}; ${lowerIn('public')}; create schema portico_dev_time; ${lowerIn('portico_dev_time')};
          grant all on schema portico_dev_time to public; reset role`,
      );
      const lower = async () => (await sql<{ lower: string }>`select lower('A')`.execute(db)).rows[0]?.lower;
      await expect(databaseTime(db)).rejects.toThrow('belongs to another role');
      expect(await lower()).toBe('a');
      await run('drop schema portico_dev_time cascade');
      await databaseTime(db);
      expect(await lower()).toBe('a');
    } finally {
      await run(`drop owned by ${weak}`, `drop role ${weak}`).catch(() => undefined);
      await db.destroy();
      await drop();
    }
  });
});
