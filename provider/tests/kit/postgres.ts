import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Db } from '#provider/base/db/database.ts';
import type { Store } from '#provider/base/db/open.ts';
import { GuardedPool, type DatabasePatience } from '#provider/base/db/engine/postgres.ts';
import { reportToStderr } from '#provider/base/log/error-log.ts';
import { empty, selectFilled } from './emptying.ts';
import { leased } from './leased-pool.ts';

export interface EmptyDatabase {
  readonly db: Db;
  readonly drop: () => Promise<void>;
}

export interface PostgresDatabase {
  readonly store: Store & { readonly kind: 'postgres' };
  readonly drop: () => Promise<void>;
}

/** Makes a database on the server, as a copy of another one, and says how to be rid of it. */
export async function newDatabase(serverUrl: string, name: string, template = 'template1'): Promise<PostgresDatabase> {
  await connected(serverUrl, (run) => run(`create database ${name} template ${template}`));
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  return {
    store: { kind: 'postgres', url: own.href },
    drop: () => connected(serverUrl, async (run) => void (await run(`drop database if exists ${name} with (force)`))),
  };
}

/** A pool that tolerates that its database is dropped before its connections have closed: `end()` does not wait for that. */
export function openPool(url: string): pg.Pool {
  return new pg.Pool({ connectionString: url }).on('error', () => undefined);
}

interface IdleDatabase {
  readonly pool: GuardedPool;
  readonly filled: string;
  readonly drop: () => Promise<void>;
}

const idle: IdleDatabase[] = [];

/** An empty copy of the template; `drop` gives it back, and the files of a worker pass it on. */
export async function emptyPostgres(
  serverUrl: string,
  template: string,
  patience: DatabasePatience,
): Promise<EmptyDatabase> {
  const own = idle.pop() ?? (await start(serverUrl, template, patience));
  const pool = leased(own.pool);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const drop = async (): Promise<void> => {
    await pool.end();
    await pool.unused();
    if (pool.altered() || !(await emptied(own))) {
      await own.pool.end();
      await own.drop();
    } else idle.push(own);
  };
  return { db, drop };
}

async function start(serverUrl: string, template: string, patience: DatabasePatience): Promise<IdleDatabase> {
  const { store, drop } = await newDatabase(serverUrl, `${template}_${randomBytes(6).toString('hex')}`, template);
  const pool = new GuardedPool(await bySocket(store.url), reportToStderr, patience);
  return { pool, drop, filled: await selectFilled(pool) };
}

/** The same database by a Unix socket, where its server has one here: a tenth of the tests' time is writing to TCP on the loopback. */
async function bySocket(url: string): Promise<string> {
  const [folders = ''] = await connected(url, (run) =>
    run(`select current_setting('unix_socket_directories') as value`),
  );
  const folder = folders.split(',', 1)[0] ?? '';
  const near = new URL(url);
  if (!existsSync(join(folder, `.s.PGSQL.${near.port}`))) return url;
  near.searchParams.set('host', folder);
  return near.href;
}

/** Resolves with false where a test has broken the connections. */
const emptied = ({ pool, filled }: IdleDatabase): Promise<boolean> =>
  empty(pool, filled).then(
    () => true,
    () => false,
  );

/** Drops the template and all its copies. */
export async function dropWithCopies(serverUrl: string, template: string): Promise<void> {
  await connected(serverUrl, async (run) => {
    for (const name of await run(
      `select datname as value from pg_database where starts_with(datname, '${template}')`,
    )) {
      // oxlint-disable-next-line no-await-in-loop -- on one connection
      await run(`drop database ${name} with (force)`);
    }
  });
}

async function connected<T>(
  url: string,
  work: (run: (statements: string) => Promise<readonly string[]>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(async (statements) => {
      const { rows } = await client.query<{ value: string }>(statements);
      // Several statements have no rows here.
      return (rows ?? []).map(({ value }) => value);
    });
  } finally {
    await client.end();
  }
}
