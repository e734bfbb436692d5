import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { BASELINE_NAME } from '#provider/base/db/before-baseline.ts';
import { migrate, schemaState } from '#provider/base/db/migrate.ts';
import type { Migrations } from '#provider/base/db/migration.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import { openMigrated, openToMigrate } from '#provider/base/db/open.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { DATABASES, freshStore, PATIENCE } from '../kit/harness.ts';
import { makeManyUsers, USERS } from '../kit/many-users.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { oneOf } from '#tests/soak.ts';
import { soakDescribe } from '#tests/soak-tests.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];

const fill = (table: string, key: string): string => `with due as (
    select ${key} from ${table} where ${key} > $1 order by ${key} limit $2),
  done as (update ${table} set note = 'filled' where ${key} in (select ${key} from due) and note is null)
  select max(${key}) as cursor from due`;

/** Changes of each kind, beside those of this version: a database of the baseline has none yet. */
const ALL: Migrations = {
  ...MIGRATIONS,
  '9001_columns': [
    `alter table users add column note text`,
    `alter table emails add column note text, add column flag boolean not null default false`,
  ],
  '9002_filled': { steps: [{ backFill: fill('users', 'user_id') }, { backFill: fill('emails', 'email_id') }] },
  '9003_triggers': {
    steps: [
      [
        `create function noted() returns trigger language plpgsql as $$ begin new.note := 'new'; return new; end $$`,
        `create trigger noted before insert on users for each row execute function noted()`,
      ],
      [`create trigger noted before insert on emails for each row execute function noted()`],
    ],
  },
  '9004_indexes': [
    `create index concurrently if not exists users_note on users (note, user_id)`,
    `create index concurrently if not exists sessions_started on sessions (started_at)`,
  ],
  '9005_checks': {
    steps: [
      [`alter table emails add constraint emails_note check (length(note) < 9) not valid`],
      [`alter table emails validate constraint emails_note`],
    ],
  },
  '9006_no_index': [`drop index users_age`],
};

/** A database of PostgreSQL with the schema of the baseline. */
async function baselineSchema(): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const { store, drop } = await freshStore(POSTGRES, 'template1');
  if (store.kind !== 'postgres') throw new Error('there is no PostgreSQL');
  await openToMigrate(store, (db) => migrate(db, upTo((name) => name <= BASELINE_NAME))); // prettier-ignore
  return { url: store.url, drop };
}

const LATER = Object.keys(ALL)
  .sort()
  .filter((name) => name > BASELINE_NAME);

const upTo = (fits: (name: string) => boolean): Migrations =>
  Object.fromEntries(Object.entries(ALL).filter(([name]) => fits(name)));

/** What requests do, in every table that the migrations change. */
const STATEMENTS = [
  `select * from emails where email_key = 'user-7@example.com'`,
  `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
     values ('user-' || gen_random_uuid(), now(), 'active', '{}', '{}', '{}', '[]')`,
  `insert into emails (email_id, user_id, email, email_key, verified, created_at)
     select 'email-' || id, user_id, id || '@example.com', id || '@example.com', true, now()
     from (select user_id, gen_random_uuid()::text as id from users order by created_at limit 1) as made`,
  `update sessions set last_accessed_at = now() where session_id = (select min(session_id) from sessions)`,
  `insert into audit_log (created_at, event, outcome, actor_kind) values (now(), 'login', 'ok', 'system')`,
] as const;

soakDescribe.runIf(POSTGRES !== undefined)(`the migrations of a database with ${USERS} users`, () => {
  let visitors: Db;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ url, drop } = await baselineSchema());
    visitors = openMigrated(url, false, undefined, PATIENCE);
    await makeManyUsers(visitors);
  });
  afterAll(async () => {
    await visitors?.destroy();
    await drop?.();
  });

  /** One request. It fails if one of its statements takes longer than the limit. */
  const request = async (limitMs: number): Promise<void> =>
    transaction(visitors, async (tx) => {
      const limit = `${limitMs}ms`;
      await sql`select set_config('statement_timeout', ${limit}, true), set_config('lock_timeout', ${limit}, true)`.execute(tx); // prettier-ignore
      for (const statement of STATEMENTS) await sql.raw(statement).execute(tx);
    });

  /** Three visitors with one request after the other; the time of the slowest request in milliseconds, and the number of all. */
  async function visits(
    limitMs: number,
    isDone: (count: number) => boolean,
  ): Promise<readonly [slowest: number, count: number]> {
    let [slowest, count] = [0, 0];
    const visit = async (): Promise<void> => {
      while (!isDone(count)) {
        const start = performance.now();
        // oxlint-disable-next-line no-await-in-loop -- one request after the other
        await request(limitMs);
        slowest = Math.max(slowest, performance.now() - start);
        count += 1;
      }
    };
    await Promise.all([visit(), visit(), visit()]);
    return [slowest, count];
  }

  it('keep no request waiting for a second, or ten times as long as before on a busy machine', async () => {
    const [slowest] = await visits(PATIENCE_MS, (count) => count > 300);
    const limitMs = Math.ceil(Math.max(1000, 10 * slowest));
    const state = { done: false };
    const migrating = openToMigrate({ kind: 'postgres', url }, (db) => migrate(db, ALL)).finally(
      () => (state.done = true),
    );
    const [, served] = await visits(limitMs, () => state.done);
    expect(await migrating).toEqual(LATER);
    expect(served).toBeGreaterThan(10);
    expect((await schemaState(visitors, ALL)).pending).toEqual([]);
  });
});

describe.runIf(POSTGRES !== undefined)('a migration that waits for the tables of a long request', () => {
  let visitors: Db;
  let long: pg.Client;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ url, drop } = await baselineSchema());
    visitors = openMigrated(url, false, undefined, PATIENCE);
    long = new pg.Client({ connectionString: url });
    await long.connect();
  });
  afterAll(async () => {
    await long?.end();
    await visitors?.destroy();
    await drop?.();
  });

  const tables = async (): Promise<readonly string[]> => {
    const { rows } = await long.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename !~ 'migration'`,
    );
    return rows.map(({ name }) => name);
  };

  /** A request that has written to every table, and goes on. */
  async function beginLong(all: readonly string[]): Promise<void> {
    await long.query('begin');
    await long.query(`lock table ${all.join()} in row exclusive mode`);
  }

  /** A request that writes to each of these tables. */
  async function visit(all: readonly string[]): Promise<void> {
    await transaction(visitors, async (tx) => {
      for (const table of all) await sql.raw(`lock table ${table} in row exclusive mode`).execute(tx);
      for (const statement of STATEMENTS) await sql.raw(statement).execute(tx);
    });
  }

  /** Resolves with whether the migration came to wait for the long request before it was done. */
  async function comesToWait(state: { readonly done: boolean }): Promise<boolean> {
    while (!state.done) {
      const waiting = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(visitors); // prettier-ignore
      if (waiting.rows.length > 0) return true;
    }
    return false;
  }

  it('gives up soon, so that all other requests are answered before that one ends', async () => {
    const waited: string[] = [];
    for (const name of oneOf(4, LATER)) {
      await openToMigrate({ kind: 'postgres', url }, (db) =>
        migrate(
          db,
          upTo((each) => each < name),
        ),
      );
      const before = await tables();
      await beginLong(before);
      const state = { done: false };
      const migrating = openToMigrate({ kind: 'postgres', url }, (db) =>
        migrate(
          db,
          upTo((each) => each <= name),
        ),
      );
      const ended = migrating.finally(() => (state.done = true));
      if (await comesToWait(state)) {
        waited.push(name);
        // Waits forever behind a migration that does.
        await visit(before);
      }
      await long.query('commit');
      await ended;
    }
    await openToMigrate({ kind: 'postgres', url }, (db) => migrate(db, ALL));
    expect(waited.length).toBeGreaterThan(1);
    expect((await schemaState(visitors, ALL)).pending).toEqual([]);
  });
});
