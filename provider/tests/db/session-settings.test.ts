import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { soakIt } from '#tests/soak-tests.ts';
import { findPgBouncer, startPgBouncer, type PgBouncer } from '#scripts/pgbouncer.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import type { Db } from '#provider/base/db/database.ts';
import { reportToStderr } from '#provider/base/log/error-log.ts';
import { systemClock, systemRandom } from '#provider/base/platform.ts';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { freshStore, makeProvider, MASTER, PATIENCE, type Provider } from '../kit/harness.ts';
import { managed } from '../kit/managing.ts';

const server = process.env['TEST_DATABASE_URL'];

/** Each setting as it must not be. */
const OTHERWISE: readonly (readonly [name: string, value: string])[] = [
  ['DateStyle', 'German, DMY'],
  ['IntervalStyle', 'iso_8601'],
  ['TimeZone', 'America/Sao_Paulo'],
  ['bytea_output', 'escape'],
  ['extra_float_digits', '-10'],
  ['standard_conforming_strings', 'off'],
  ['transform_null_equals', 'on'],
  ['array_nulls', 'off'],
  ['default_transaction_isolation', 'serializable'],
  ['default_transaction_deferrable', 'on'],
];

const NAMES = OTHERWISE.map(([name]) => name);

async function valuesOf(db: Db): Promise<Record<string, unknown>> {
  const columns = NAMES.map((name) => sql`current_setting(${sql.lit(name)}) as ${sql.ref(name)}`);
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(columns)}`.execute(db);
  return rows[0] ?? {};
}

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe.runIf(server !== undefined)('a database whose settings are others', () => {
  let url = '';
  let drop = (): Promise<void> => Promise.resolve();
  let pooler: PgBouncer | null = null;
  beforeAll(async () => {
    const made = await freshStore(server);
    drop = made.drop;
    url = made.store.kind === 'postgres' ? made.store.url : '';
    const { pathname } = new URL(url);
    await run(url, ...OTHERWISE.map(([name, value]) => `alter database ${pathname.slice(1)} set ${name} = '${value}'`));
    if (findPgBouncer() !== null) pooler = await startPgBouncer(url, 4);
  });
  afterAll(async () => {
    await pooler?.stop();
    await drop();
  });

  /** Flows that read and write times, binary values, numbers and texts with backslashes. */
  async function play(db: Db, email: string): Promise<void> {
    const keys = await keysInDatabase({ db, clock: systemClock, random: systemRandom }, MASTER);
    const provider: Provider = await makeProvider(server, { db, keys });
    try {
      const session = await provider.signIn(email);
      expect(session['session'].started_at).toBe('2030-01-01T00:00:00.000Z');
      provider.clock.time += 90_000;
      const refreshed = await provider.post('/sessions/authenticate', {}, { session: session['session_token'] });
      expect([refreshed.status, refreshed.data['session'].last_accessed_at]).toEqual([200, '2030-01-01T00:01:30.000Z']);
      const me = await provider.call('GET', '/users/me', undefined, { session: session['session_token'] });
      expect([me.status, me.data['created_at']]).toEqual([200, '2030-01-01T00:00:00.000Z']);
      const name = { first_name: String.raw`O\'Neil \1`, last_name: 'NULL' };
      const changed = await provider.call('PUT', '/users/me', { name }, { session: session['session_token'] });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      const after = await provider.call('GET', '/users/me', undefined, { session: session['session_token'] });
      expect(after.data['name']).toMatchObject(name);
      expect(provider.traces).toEqual([]);
    } finally {
      await provider.close();
      await db.destroy();
    }
  }

  it('is served as any other', async () => {
    const db = await openDatabase({ kind: 'postgres', url }, reportToStderr, PATIENCE);
    expect(await valuesOf(db)).toEqual({
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      TimeZone: 'UTC',
      bytea_output: 'hex',
      extra_float_digits: '1',
      standard_conforming_strings: 'on',
      transform_null_equals: 'off',
      array_nulls: 'on',
      default_transaction_isolation: 'read committed',
      default_transaction_deferrable: 'off',
    });
    await play(db, 'direct@example.com');
    expect(await managed(['--database-url', url], 'users', 'list')).toContain('2030-01-01');
  });

  soakIt('is migrated as any other', async () => {
    const { store, drop: dropEmpty } = await freshStore(server, 'template1');
    if (store.kind !== 'postgres') throw new Error('unreachable');
    const name = new URL(store.url).pathname.slice(1);
    await run(store.url, ...OTHERWISE.map(([each, value]) => `alter database ${name} set ${each} = '${value}'`));
    const db = await openDatabase(store, reportToStderr, PATIENCE);
    await play(db, 'migrated@example.com');
    await dropEmpty();
  });

  it.each(['LATIN1', 'SQL_ASCII'])(
    'is refused in the encoding %s, which has no place for all names',
    async (encoding) => {
      const name = `portico_encoding_${randomBytes(6).toString('hex')}`;
      await run(server ?? '', `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
      const own = new URL(server ?? '');
      own.pathname = `/${name}`;
      const opened = openDatabase({ kind: 'postgres', url: own.href }, reportToStderr, PATIENCE);
      try {
        await expect(opened).rejects.toThrow(`its encoding is ${encoding}`);
      } finally {
        await opened.then((db) => db.destroy()).catch(() => undefined);
        await run(server ?? '', `drop database ${name} with (force)`);
      }
    },
  );

  it.runIf(findPgBouncer() !== null)('is served as any other through PgBouncer', async () => {
    const through = pooler?.through(url) ?? '';
    const db = await openDatabase({ kind: 'postgres', url: through }, reportToStderr, PATIENCE);
    const alone = await valuesOf(db);
    expect(alone).toMatchObject({ DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' });
    const within = await transaction(db, (tx) => valuesOf(tx));
    expect(within).toMatchObject({ bytea_output: 'hex', IntervalStyle: 'postgres', transform_null_equals: 'off' });
    await play(db, 'pooled@example.com');
  });
});
