import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPgBouncer, startPgBouncer, type PgBouncer } from '#scripts/pgbouncer.ts';
import { openStore } from '#provider/operation/store/open-store.ts';
import { migrate, schemaState } from '#provider/base/db/migrate.ts';
import { statementsOf } from '#provider/base/db/migration.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import { openDatabase, type Store } from '#provider/base/db/open.ts';
import { isPooled } from '#provider/base/db/engine/pooler.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { DATABASES, EITHER_DATABASE, freshStore, makeProvider, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { ran } from '../kit/managing.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];
const NAMES = Object.keys(MIGRATIONS).sort();
/** A deployment that starts this many servers at once on an empty database. */
const SERVERS = SOAK ? 48 : 4;

/** The migrations of a version that does not exist yet. */
const FUTURE = {
  ...MIGRATIONS,
  '9001_nicknames': [`alter table users add column nickname text`, `create table nicknames (name text primary key)`],
};
const PRESENT_GOES_ON = `9002_drop_nicknames_after_${NAMES.at(-1)?.slice(0, 4)}`;

describe.each(EITHER_DATABASE)('the schema, on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('of a newer version serves this one', async () => {
    const { db } = provider.services;
    expect(await schemaState(db)).toEqual({ pending: [], newer: [] });
    expect(await migrate(db, { ...FUTURE, [PRESENT_GOES_ON]: [`drop table nicknames`] })).toEqual([
      '9001_nicknames',
      PRESENT_GOES_ON,
    ]);
    expect(await schemaState(db)).toEqual({ pending: [], newer: ['9001_nicknames', PRESENT_GOES_ON] });
    expect(await migrate(db)).toEqual([]);
    const { session_token, user } = await provider.signIn('rolled-back@example.com');
    const refreshed = await provider.post('/sessions/authenticate', {}, { session: session_token });
    // What a newer version stores may be secret.
    for (const shown of [user, refreshed.data['user']]) {
      expect(shown).toHaveProperty('name');
      expect(shown).not.toHaveProperty('nickname');
    }
  });

  it('refuses a version that does not know what a removal needs', async () => {
    const { db } = provider.services;
    await sql`insert into kysely_migration values ('9003_drop_users_after_9001', '2030-01-01')`.execute(db);
    await expect(migrate(db)).rejects.toThrow(
      'this version is too old for the schema, which a newer version changed (9003_drop_users_after_9001).',
    );
    await sql`delete from kysely_migration where name like '9003%'`.execute(db);
  });

  it('gets no part of a migration that fails', async () => {
    const { db } = provider.services;
    const broken = { ...MIGRATIONS, '9004_broken': [`create table half (name text)`, `select no_such_function()`] };
    await expect(migrate(db, broken)).rejects.toThrow('no_such_function');
    expect((await sql`select to_regclass('half') as half`.execute(db)).rows).toEqual([{ half: null }]);
  });

  describe('and the migrations of this version', () => {
    const names = async (query: string): Promise<readonly string[]> =>
      (await sql<{ name: string }>`${sql.raw(query)}`.execute(provider.services.db)).rows.map(({ name }) => name);
    const missing = async (name: string): Promise<void> => {
      await sql`delete from kysely_migration where name = ${name}`.execute(provider.services.db);
    };

    it('that build indexes while others write do nothing else', () => {
      for (const statements of Object.values(MIGRATIONS).map(statementsOf)) {
        const concurrent = statements.filter((statement) => / concurrently /u.test(statement));
        if (concurrent.length === 0) continue;
        expect(
          statements.filter((each) => !/^create (?:unique )?index concurrently if not exists \w+ on /u.test(each)),
        ).toEqual([]);
      }
    });

    it('go on after one that was interrupted', async () => {
      const { db } = provider.services;
      const two = {
        ...MIGRATIONS,
        '9010_first': [`create table first_half (name text)`],
        '9011_second': [`select no_such()`],
      };
      await expect(migrate(db, two)).rejects.toThrow('no_such');
      expect(await names(`select name from kysely_migration where name like '901%'`)).toEqual(['9010_first']);
      expect(await migrate(db, { ...two, '9011_second': [`create table second_half (name text)`] })).toEqual([
        '9011_second',
      ]);
      expect(await names(`select to_regclass('second_half')::text as name`)).toEqual(['second_half']);
      await sql`drop table first_half, second_half`.execute(db);
    });

    it('build an index again whose build was interrupted', async () => {
      const { db } = provider.services;
      const indexes = ['first', 'second'].map(
        (index) => `create index concurrently if not exists limit_windows_${index} on limit_windows (hits)`,
      );
      const built = { ...MIGRATIONS, '9012_indexes': indexes };
      expect(await migrate(db, built)).toEqual(['9012_indexes']);
      const invalid = `select indexrelid::regclass::text as name from pg_index where not indisvalid`;
      await names(`update pg_index set indisvalid = false where indexrelid = 'limit_windows_first'::regclass`);
      await names('drop index limit_windows_second');
      expect(await names(invalid)).toEqual(['limit_windows_first']);
      await missing('9012_indexes');
      expect(await migrate(db, built)).toEqual(['9012_indexes']);
      expect(await names(invalid)).toEqual([]);
      expect(await names(`select to_regclass('limit_windows_second')::text as name`)).toEqual(['limit_windows_second']);
      expect(await names(`select name from leases`)).toEqual([]);
    });
  });
});

describe.runIf(postgres !== undefined)('a migration of a PostgreSQL database in use', () => {
  let provider: Provider;
  let held: pg.Client;
  beforeAll(async () => {
    provider = await makeProvider(postgres);
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(provider.services.db);
    const address = new URL(postgres ?? '');
    address.pathname = `/${rows[0]?.name}`;
    held = new pg.Client({ connectionString: address.href });
    await held.connect();
  });
  afterAll(async () => {
    await held.end();
    await provider.close();
  });

  const insert = `insert into limit_windows (bucket, window_start, hits, expires_at) values (gen_random_uuid()::text, now(), 1, now())`;
  /** Statements of requests. Each rejects if a migration keeps it waiting for three seconds. */
  const others = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) {
      await transaction(provider.services.db, async (tx) => {
        await sql`set local lock_timeout = '3s'`.execute(tx);
        await sql`select count(*) from limit_windows`.execute(tx);
        await sql.raw(insert).execute(tx);
      });
    }
    const { session_token } = await provider.signIn('visitor@example.com');
    expect(await provider.post('/sessions/authenticate', {}, { session: session_token })).toMatchObject({
      status: 200,
    });
  };
  const waits = (statement: string) =>
    expect
      .poll(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like ${`${statement}%`}`.execute(provider.services.db); // prettier-ignore
        return rows.length;
      })
      .toBeGreaterThan(0);

  it.each([
    ['changes a table', [`alter table limit_windows add column note text`], 'alter table'],
    [
      'builds an index',
      [`create index concurrently if not exists limit_windows_hits on limit_windows (hits)`],
      'create index',
    ],
  ])('that %s waits for a long transaction, and keeps no request waiting meanwhile', async (_, statements, waiting) => {
    const { db } = provider.services;
    await held.query('begin');
    await held.query(insert);
    const name = `9020_${waiting.replace(' ', '_')}`;
    const migrating = migrate(db, { ...MIGRATIONS, [name]: statements });
    await waits(waiting);
    await others();
    await held.query('commit');
    expect(await migrating).toContain(name);
  });
});

describe.runIf(postgres !== undefined)('the schema of a PostgreSQL database', () => {
  const urlOf = (store: Store): string => (store.kind === 'postgres' ? store.url : '');

  it('is brought up to date by a command, which says what it does, and by no server that may not', async () => {
    const { store, drop } = await freshStore(postgres, 'template1');
    const args = ['--database-url', urlOf(store)];
    const pending = NAMES;
    const started = openStore(store, { masterKey: null, dev: true, migrating: false });
    await expect(started).rejects.toThrow(
      `Cannot use the database: its schema is older than this version: run portico-provider migrate (${pending.length} to do, up to ${pending.at(-1)}).`,
    );
    const planned = pending.map((name) => `would run ${name}`).join('\n');
    expect(await ran(['migrate', ...args, '--dry-run'])).toBe(planned);
    expect(await ran(['migrate', ...args])).toMatch(new RegExp(`^ran ${pending[0]}$`, 'mu'));
    expect(await ran(['migrate', ...args])).toBe('The schema is up to date.');
    await expect(ran(['migrate', '--data', 'memory'])).rejects.toThrow('Data in memory needs no migration.');
    await drop();
  });

  soakIt('serves a role that owns no table, once a command of the owner has made the schema and the keys', async () => {
    const { store, drop } = await freshStore(postgres, 'template1');
    const weak = `weak_${randomBytes(6).toString('hex')}`;
    const owner = await openDatabase(store);
    const run = async (...statements: string[]): Promise<void> => {
      for (const statement of statements) await sql.raw(statement).execute(owner);
    };
    const served: Store = { kind: 'postgres', url: urlOf(store).replace(/\/\/[^@]+@/u, `//${weak}@`) };
    const opening = { masterKey: KEY, migrating: false, poolSize: 2 };
    try {
      // As docs/several-machines.md says.
      await run(
        `create role ${weak} login`,
        `grant select, insert, update, delete on all tables in schema public to ${weak}`,
        `grant usage on all sequences in schema public to ${weak}`,
      );
      await expect(openStore(served, opening)).rejects.toThrow(
        'run portico-provider migrate as that role, with the key',
      );
      await expect(ran(['migrate', '--database-url', urlOf(store)], { PORTICO_KEY: 'short' })).rejects.toThrow(
        'PORTICO_KEY must hold 32 random bytes',
      );
      await ran(['migrate', '--database-url', urlOf(store)], { PORTICO_KEY: KEY.text });
      const { db, close } = await openStore(served, opening);
      await expect(sql`create table mine (name text)`.execute(db)).rejects.toThrow('permission denied');
      await close();
    } finally {
      await run(`drop owned by ${weak}`, `drop role ${weak}`).catch(() => undefined);
      await owner.destroy();
      await drop();
    }
  });

  const herd = async (store: Store): Promise<void> => {
    const opened = await Promise.all(
      Array.from({ length: SERVERS }, () => openStore(store, { masterKey: KEY, poolSize: 2 })),
    );
    expect(new Set(opened.map(({ keys }) => Buffer.from(keys.codeKey).toString('hex'))).size).toBe(1);
    const done = await sql<{ count: number }>`select count(*) from kysely_migration`.execute(opened[0]?.db as never);
    expect(done.rows).toEqual([{ count: NAMES.length }]);
    await Promise.all(opened.map(({ close }) => close()));
  };
  const KEY = { kind: 'variable', text: process.env['PORTICO_KEY'] ?? '' } as const;

  soakIt(`is made once by ${SERVERS} servers that start at once`, async () => {
    const { store, drop } = await freshStore(postgres, 'template1');
    await herd(store);
    await drop();
  });

  describe.runIf(findPgBouncer() !== null)('behind PgBouncer in transaction mode', () => {
    let bouncer: PgBouncer;
    beforeAll(async () => {
      bouncer = await startPgBouncer(postgres ?? '', 4);
    });
    afterAll(() => bouncer.stop());

    soakIt(`is made once by ${SERVERS} servers that start at once`, async () => {
      const { store, drop } = await freshStore(postgres, 'template1');
      await herd({ kind: 'postgres', url: bouncer.through(urlOf(store)) });
      await drop();
    });

    it('is used with limits that do not reach other clients, and without names for statements', async () => {
      const { store, drop } = await freshStore(postgres);
      const through = bouncer.through(urlOf(store));
      expect([await isPooled(through), await isPooled(urlOf(store))]).toEqual([true, false]);
      const db = await openDatabase({ kind: 'postgres', url: through });
      const lockTimeout = async (on = db) => (await sql`show lock_timeout`.execute(on)).rows;
      const { rows: limits } = await transaction(db, (tx) => sql`show lock_timeout`.execute(tx));
      expect(limits).toEqual([{ lock_timeout: '2s' }]);
      const user = { user_id: 'user-1', created_at: new Date(), status: 'active', name: '{}' } as const;
      const more = { trusted_metadata: '{}', untrusted_metadata: '{}', roles: '[]' };
      await db
        .insertInto('users')
        .values({ ...user, ...more })
        .execute();
      const rename = () => db.updateTable('users').set({ name: '{}' }).where('user_id', '=', 'user-1');
      await transaction(db, async (tx) => {
        await sql`select * from users for update`.execute(tx);
        // A statement alone waits no longer than one in a transaction, and leaves nothing to the next client.
        await expect(rename().execute()).rejects.toMatchObject({ code: '55P03' });
      });
      for (let use = 0; use < 4; use += 1) await rename().execute();
      for (let use = 0; use < 4; use += 1) expect(await lockTimeout()).toEqual([{ lock_timeout: '0' }]);
      expect((await sql`select name from pg_prepared_statements where name <> ''`.execute(db)).rows).toEqual([]);
      await db.destroy();
      await drop();
    });
  });
});
