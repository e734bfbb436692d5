import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPrograms, startPostgres, type Postgres } from '#scripts/postgres.ts';
import { searchUsers } from '#provider/accounts/account/search.ts';
import { findSession } from '#provider/accounts/sessions/rows/find.ts';
import { makeProjectSecret } from '#provider/api/backend/credentials.ts';
import { createApp } from '#provider/operation/app.ts';
import { OPERATOR_COMMANDS } from '#provider/operation/operators/commands.ts';
import { exportAudit } from '#provider/operation/operators/audit/audit-export.ts';
import { listAudit } from '#provider/operation/operators/audit/audit-list.ts';
import { listUsers } from '#provider/operation/operators/users/list-users.ts';
import type { Db } from '#provider/base/db/database.ts';
import { isDatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import { openDatabase, openMigrated } from '#provider/base/db/open.ts';
import { PrometheusMetrics } from '#provider/base/metrics/prometheus.ts';
import { CHANNELS } from '#provider/messages/channel.ts';
import { basic, freshStore, makeProvider, MINUTE, PATIENCE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { managed } from '../kit/managing.ts';
import { startStandby, type Standby } from '../kit/standby.ts';
import { MESSAGE, READ_FIELDS, type ReadName } from '../operators/read-commands.ts';

type ReplicaQuery = (provider: Provider, db: Db) => Promise<unknown>;
type SearchRequest = Parameters<typeof searchUsers>[1];

/** What docs/scaling.md names as safe: their answers are out of date when they are shown anyway. */
const SAFE: readonly (readonly [name: string, read: ReplicaQuery])[] = [
  ['users by a part of an address', (_, db) => listUsers(db, { text: 'ada-1@', limit: 50 })],
  ['all users', (_, db) => listUsers(db, { limit: 50 })],
  ['locked users', (_, db) => listUsers(db, { locked: true, limit: 50 })],
  ['the audit log by event', ({ services }, db) => listAudit({ ...services, db }, { event: 'login', limit: 50 })],
  [
    'the audit log by network',
    ({ services }, db) => listAudit({ ...services, db }, { address: '203.0.113.7', limit: 9 }),
  ],
  [
    'the export of the audit log',
    ({ services }, db) => exportAudit({ ...services, db }, { after: undefined, limit: 50 }),
  ],
  [
    'a search by the app’s server',
    ({ services }, db) =>
      searchUsers({ ...services, db }, { body: { query: null, limit: 3 } } as unknown as SearchRequest),
  ],
];

describe.runIf(hasPrograms())('a read replica', () => {
  let own: Postgres;
  let standby: Standby;
  let primary: Db;
  let replica: Db;
  let provider: Provider;
  let url: string;

  beforeAll(async () => {
    const started = await startPostgres();
    if ('reason' in started) throw new Error(started.reason);
    own = started;
    const { store } = await freshStore(own.url, 'template1');
    if (store.kind !== 'postgres') throw new Error('the primary is no PostgreSQL');
    url = store.url;
    primary = await openDatabase(store, undefined, PATIENCE);
    provider = await makeProvider(undefined, { db: primary });
    // Commands have the time of this machine, by which the rows must be settled.
    provider.clock.time = Date.now() - 10 * MINUTE;
    for (let n = 0; n < 5; n += 1) await provider.signIn(`ada-${n}@example.com`);
    // One secret of the backend API, and one call with it.
    const { secret } = await makeProjectSecret(provider.services, 'reports');
    await provider.app.request('/v1/users', {
      method: 'POST',
      headers: {
        authorization: basic(provider.services.project.project_id, secret),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email: 'linus@example.com' }),
    });
    provider.clock.time += 5 * MINUTE;
    standby = await startStandby(url);
    replica = openMigrated(standby.url, false, undefined, PATIENCE);
  });
  afterAll(async () => {
    await replica?.destroy();
    await standby?.stop();
    await provider?.close();
    await primary?.destroy();
    await own?.stop();
  });

  /** Waits until the replica has everything that was committed by now. */
  async function replayed(): Promise<void> {
    const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(primary);
    await vi.waitFor(async () => {
      const reached = await sql<{ there: boolean }>`select pg_last_wal_replay_lsn() >= ${rows[0]?.lsn}::pg_lsn as there`.execute(replica); // prettier-ignore
      expect(reached.rows).toEqual([{ there: true }]);
    });
  }

  it.each(SAFE)('answers %s as the primary does', async (_name, read) => {
    await replayed();
    const [there, here] = [await read(provider, replica), await read(provider, primary)];
    expect(there).toEqual(here);
    expect(JSON.stringify(here).length).toBeGreaterThan(20);
  });

  it.each(Object.entries(READ_FIELDS))('runs the command %s as the primary does', async (name, fields) => {
    const command = OPERATOR_COMMANDS[name as ReadName];
    const { id } = await primary.selectFrom('outbox').select('id').executeTakeFirstOrThrow();
    const words = Object.entries(fields).flatMap(([field, text]) => [
      ...(field === command.argument ? [] : [`--${field}`]),
      text === MESSAGE ? id : text,
    ]);
    await replayed();
    const at = (url: string) => managed(['--database-url', url], ...name.split(' '), ...words);
    const here = await at(url);
    expect(await at(standby.url)).toBe(here);
    expect(here).not.toBe('');
  });

  it('answers the metrics of the queue and the keys', async () => {
    await replayed();
    const counts = { draining: false, inProgress: 0, hashes: { running: 0, waiting: 0 } };
    const metrics = new PrometheusMetrics({
      db: replica,
      pool: null,
      version: '1.2.3',
      channels: CHANNELS,
      countries: ['DE'],
      process: () => counts,
    });
    expect((await metrics.text()).body).toMatch(/^portico_signing_key_age_seconds\{purpose="sessions"\} /mu);
  });

  it('refuses each write, which a server takes for an outage of the database', async () => {
    await replayed();
    const app = createApp({ ...provider.services, db: replica });
    const post = (path: string, body: object) =>
      app.request(`/sdk/v1${path}`, {
        method: 'POST',
        headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const sent = await post('/otps/email/login_or_create', { email: 'ada-1@example.com' });
    expect([sent.status, sent.headers.has('retry-after')]).toEqual([503, true]);
    await expect(replica.deleteFrom('users').execute()).rejects.toSatisfy(isDatabaseUnavailable);
  });

  it('still finds a session that has ended, while it lags: so no check may go there', async () => {
    const { session_token } = await provider.signIn('grace@example.com');
    await replayed();
    await sql`select pg_wal_replay_pause()`.execute(replica);
    await provider.post('/sessions/revoke', {}, { session: String(session_token) });
    const found = async (db: Db) => (await findSession(provider.services, db, String(session_token))) !== undefined;
    expect([await found(primary), await found(replica)]).toEqual([false, true]);
    await sql`select pg_wal_replay_resume()`.execute(replica);
    await replayed();
    expect(await found(replica)).toBe(false);
  });

  it('is passed over by a server whose URL has both hosts, which goes on there after a failover', async () => {
    const [from, to] = [new URL(url), new URL(standby.url)];
    const both = `postgres://${from.username}@${to.host},${from.host}${from.pathname}?target_session_attrs=read-write`;
    const db = await openDatabase({ kind: 'postgres', url: both }, () => undefined, PATIENCE);
    const write = () =>
      sql`insert into limit_windows values (gen_random_uuid()::text, now(), 1, now()) returning inet_server_port() as port`
        .execute(db)
        .then(({ rows }) => rows);
    expect(await write()).toEqual([{ port: Number(from.port) }]);
    await replayed();
    await own.crash();
    await sql`select pg_promote()`.execute(replica);
    await expect.poll(() => write().catch(() => null)).toEqual([{ port: Number(to.port) }]);
    await db.destroy();
  });
});
