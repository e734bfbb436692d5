import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import pg from 'pg';
import { createApp } from '#provider/operation/app.ts';
import { DatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { DATABASE_PATIENCE } from '#provider/base/db/engine/postgres.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { inboxStream } from '#provider/dev/inbox-stream.ts';
import { ACCOUNT_CLIENT_ID } from '#provider/accounts/social/built-in/account-tokens.ts';
import {
  ANY_DATABASE,
  DATABASES,
  EITHER_DATABASE,
  type Fields,
  freshStore,
  makeProvider,
  MINUTE,
  type Provider,
  type ProviderResponse,
} from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { makeApps, type Apps } from '../kit/idp-harness.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };
/** Short, and longer than ten requests for one row take on a busy machine, each of which waits for the one before it. */
const PATIENCE = { ...DATABASE_PATIENCE, connections: 5, lockMs: 1_500, statementMs: 8_000, replyMs: 10_000 };

function expectComeBack(reply: Pick<ProviderResponse, 'status' | 'headers'>): void {
  expect(reply.status).toBe(503);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe.each(EITHER_DATABASE)('a transaction that hangs, on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('the hanging transaction delays the others only for a time, and cannot write afterwards', async () => {
    const { user_id } = await provider.signIn('hung@example.com');
    let wakes: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => (wakes = resolve));
    let late: unknown;
    const hung = transaction(
      provider.services.db,
      async (tx) => {
        await tx.selectFrom('users').select('user_id').where('user_id', '=', user_id).forUpdate().execute();
        await asleep;
        late = await tx
          .deleteFrom('users')
          .execute()
          .catch((error: unknown) => error);
      },
      'read committed',
      300,
    );
    const others = Promise.all(['a', 'b', 'c'].map((name) => provider.signIn(`${name}@example.com`)));
    await expect(hung).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect((await others).every(({ user_id: id }) => typeof id === 'string')).toBe(true);
    wakes();
    await expect.poll(() => late).toBeInstanceOf(Error);
    expect(await provider.services.db.selectFrom('users').select('user_id').execute()).toHaveLength(4);
  });
});

const ROUNDS = SOAK ? 10 : 1;

describe.each(DATABASES.filter(([, url]) => url !== undefined))('a locked row, on %s', (_, url) => {
  let provider: Provider;
  let close: () => Promise<void>;
  let address: string;
  beforeAll(async () => {
    const { store, drop } = await freshStore(url);
    address = store.kind === 'postgres' ? store.url : '';
    const db = await openDatabase(store, () => undefined, PATIENCE);
    provider = await makeProvider(ANY_DATABASE, { db });
    close = async () => {
      await db.destroy();
      await drop();
    };
  });
  afterAll(() => close());

  async function holding(statement: string, work: () => Promise<void>): Promise<void> {
    const holder = new pg.Client({ connectionString: address });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query(statement);
      await work();
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
  }

  const authenticate = (user: Fields) =>
    provider.post('/sessions/authenticate', minutes, { session: String(user['session_token']) });

  it('requests for a locked row do not delay requests for other rows', async () => {
    const victim = await provider.signIn('victim@example.com');
    const users = await Promise.all(['a', 'b', 'c', 'd'].map((name) => provider.signIn(`${name}@example.com`)));
    // A check writes to the session once a minute.
    provider.clock.time += 2 * MINUTE;
    const row = `select 1 from sessions where session_id = '${String(victim['session_id'] ?? victim['session']?.session_id)}' for update`;
    await holding(row, async () => {
      const stuck: Promise<ProviderResponse>[] = [];
      const served: Promise<ProviderResponse>[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        stuck.push(...Array.from({ length: 6 }, () => authenticate(victim)));
        served.push(...users.map(authenticate));
      }
      for (const reply of await Promise.all(served)) expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      for (const reply of await Promise.all(stuck)) expectComeBack(reply);
    });
    await expect.poll(async () => (await authenticate(victim)).status).toBe(200);
  });

  soakIt('a message to a locked user does not delay the users of the same network', async () => {
    const { user_id } = await provider.signIn('locked@example.com');
    const row = `select 1 from users where user_id = '${String(user_id)}' for update`;
    await holding(row, async () => {
      expectComeBack(await provider.post('/otps/email/login_or_create', { email: 'locked@example.com' }));
      expect(await provider.signIn('neighbour@example.com')).toHaveProperty('session_token');
    });
  });

  soakIt('a locked table causes no 500', async () => {
    const user = await provider.signIn('table@example.com');
    await holding('lock table sessions in access exclusive mode', async () => {
      const replies = await Promise.all([
        authenticate(user),
        provider.call('GET', '/users/me', undefined, { session: String(user['session_token']) }),
        provider.post('/otps/email/login_or_create', { email: 'table@example.com' }),
      ]);
      expectComeBack(replies[0]);
      expectComeBack(replies[1]);
      expect(replies[2].status).toBe(200);
    });
  });
});

/** Errors of drivers and servers during an outage. None of them is caused by the request. */
const AWAY: readonly Error[] = [
  '08006 08P01 53300 53100 57014 57P01 57P03 58030 55P03 25P03 25006 40001 40P01',
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENETUNREACH EHOSTUNREACH EAI_AGAIN ENOTFOUND ENOSPC',
]
  .flatMap((codes) => codes.split(' '))
  .map((code) => Object.assign(new Error('secret'), { code }));
const SILENT: readonly Error[] = [
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
].map((message) => new Error(message));
const FAULTS: readonly Error[] = [
  new Error('secret'),
  new TypeError('x is not a function'),
  Object.assign(new Error('secret'), { code: '23505' }),
  Object.assign(new Error('secret'), { code: 'ERR_INVALID_ARG_TYPE' }),
];

describe('requests while the database is away', () => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(ANY_DATABASE);
  });
  afterAll(() => apps.provider.close());

  /** The same provider with a database on which every call fails with this error. */
  const failing = (error: Error) => {
    const db = new Proxy(apps.provider.services.db, {
      get() {
        throw error;
      },
    });
    return createApp({ ...apps.provider.services, db });
  };
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

  it('every kind of outage is answered with 503, and a fault with 500', async () => {
    const me = {
      headers: {
        authorization: `Basic ${Buffer.from(`${apps.provider.services.project.public_token}:x`).toString('base64')}`,
      },
    };
    for (const error of [...AWAY, ...SILENT]) {
      const reply = await failing(error).request('/sdk/v1/users/me', me);
      expectComeBack(reply);
      expect(await reply.text()).not.toContain('secret');
    }
    for (const error of FAULTS) expect((await failing(error).request('/sdk/v1/users/me', me)).status).toBe(500);
  });

  it('every endpoint answers with 503, and calls no valid token invalid', async () => {
    const { access_token, refresh_token } = await apps.tokensFor();
    const app = failing(Object.assign(new Error('secret'), { code: '57P01' }));
    const bearer = { headers: { authorization: `Bearer ${String(access_token)}` } };
    const replies = await Promise.all([
      app.request('http://localhost:4100/oauth2/userinfo', bearer),
      app.request(
        'http://localhost:4100/oauth2/token',
        form({ grant_type: 'refresh_token', client_id: 'planner', refresh_token: String(refresh_token) }),
      ),
      app.request('http://localhost:4100/oauth2/revoke', form({ client_id: 'planner', token: String(refresh_token) })),
      app.request('http://localhost:4100/oauth2/jwks.json'),
      app.request('http://localhost:4100/accounts/google/token', {
        ...form({ grant_type: 'authorization_code', client_id: ACCOUNT_CLIENT_ID, code: 'x' }),
      }),
    ]);
    for (const reply of replies) expectComeBack(reply);
    expect((await apps.userinfo(access_token)).status).toBe(200);
  });

  it('a stream that could not begin does not end the process', async () => {
    vi.useFakeTimers();
    try {
      const db = new Proxy(apps.provider.services.db, {
        get() {
          throw Object.assign(new Error('secret'), { code: '57P01' });
        },
      });
      const { inbox, clock } = apps.provider.services;
      const report = vi.fn();
      const reader = inboxStream({ db, clock, inbox, report }, 'message-1').getReader();
      while (!(await reader.read()).done);
      expect(report).toHaveBeenCalledOnce();
      // A heartbeat or message into an ended stream would be an uncaught error.
      vi.advanceTimersByTime(60_000);
      inbox.publish({ id: 'message-2', channel: 'email', to: 'a', subject: '', text: '', at: '', expires_at: '' });
    } finally {
      vi.useRealTimers();
    }
  });
});
