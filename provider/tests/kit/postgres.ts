import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Store } from '../../src/base/db/open.ts';
import { emptied, schemaOf, type RunStatements } from './emptying.ts';

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

interface IdleDatabase extends PostgresDatabase {
  /** What its schema consists of: a database whose schema a test has changed is not passed on. */
  readonly schema: string;
}

const idle: IdleDatabase[] = [];

/** An empty copy of the template; `drop` gives it back, and the files of a worker pass it on. */
export async function emptyPostgres(serverUrl: string, template: string): Promise<PostgresDatabase> {
  const own = idle.pop() ?? (await start(serverUrl, template));
  return { store: own.store, drop: () => giveBack(own) };
}

async function start(serverUrl: string, template: string): Promise<IdleDatabase> {
  const made = await newDatabase(serverUrl, `${template}_${randomBytes(6).toString('hex')}`, template);
  return { ...made, schema: await connected(made.store.url, schemaOf) };
}

async function giveBack(own: IdleDatabase): Promise<void> {
  if (await connected(own.store.url, (run) => emptied(run, own.schema))) idle.push(own);
  else await own.drop();
}

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

async function connected<T>(url: string, work: (run: RunStatements) => Promise<T>): Promise<T> {
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
