import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, freshStore, type Fields } from '../kit/harness.ts';
import { buildServer, killServers } from '../kit/server-process.ts';
import { startCluster, type Answer, type Cluster } from './cluster.ts';
import { soakIt } from '#tests/soak-tests.ts';

const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];
const minutes = { session_duration_minutes: 60 };
const GOOD = 'correct horse battery staple 7';
const TEXTS = 6;
const GUESSES = 10;
const CHALLENGES = 8;
const folder = mkdtempSync(join(tmpdir(), 'portico-raced-'));

/** One database, and processes that know nothing of each other: each limit is one statement, or is read under a lock. */
describe.runIf(postgres !== undefined)('limits that two servers are raced through', () => {
  let cluster: Cluster;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    await buildServer();
    const project = join(folder, 'project.json');
    const pages = 'http://localhost:3000/';
    const limits = {
      failures_per_user: { max: GUESSES, seconds: 3600 },
      texts_per_country: { max: TEXTS, seconds: 3600 },
      challenges_per_user: { max: CHALLENGES, seconds: 3600 },
    };
    writeFileSync(project, JSON.stringify({ limits, redirect_urls: [pages] }));
    const { store, drop: dropStore } = await freshStore(postgres);
    drop = dropStore;
    cluster = await startCluster(store.kind === 'postgres' ? store.url : '', [0, 0], ['--project', project]);
  });
  afterAll(async () => {
    await cluster.stop();
    killServers();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const many = (count: number, act: (index: number) => Promise<Answer>): Promise<readonly Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)));
  const typesOf = (answers: readonly Answer[]): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const type = status === 200 ? 'ok' : String(body['error_type']);
      counts[type] = (counts[type] ?? 0) + 1;
    }
    return counts;
  };
  const signUp = (email: string): Promise<Fields> => cluster.post('/passwords', { email, password: GOOD, ...minutes });
  const countOf = async (query: string, ...values: readonly string[]): Promise<number> =>
    Number((await cluster.database.query<{ count: string }>(query, [...values])).rows[0]?.count);

  it('five of sixty guesses of a code are compared', async () => {
    const email = 'code@example.com';
    const { method_id } = await cluster.post('/otps/email/login_or_create', { email });
    const { code } = await cluster.message(email);
    const guess = (token: string) => cluster.call('POST', '/otps/authenticate', { token, method_id, ...minutes });
    const wrong = (index: number) => String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
    const answers = await many(60, (index) => guess(wrong(index)));
    expect(answers.filter(({ status }) => status === 200)).toEqual([]);
    const tries = 'select tries as count from passcodes where passcode_id = $1';
    expect(await countOf(tries, String(method_id))).toBe(5);
    expect((await guess(code)).status).not.toBe(200);
  });

  it(`${GUESSES} of forty passwords are compared`, async () => {
    const email = 'password@example.com';
    await signUp(email);
    const answers = await many(40, (index) =>
      cluster.call('POST', '/passwords/authenticate', { email, password: `wrong ${index}`, ...minutes }),
    );
    expect(typesOf(answers)).toEqual({ unauthorized_credentials: GUESSES, user_lock_limit_reached: 40 - GUESSES });
    const right = await cluster.call('POST', '/passwords/authenticate', { email, password: GOOD, ...minutes });
    expect(right.body['error_type']).toBe('user_lock_limit_reached');
  });

  soakIt(`${TEXTS} texts an hour go to a country, whatever numbers ask for them`, async () => {
    const answers = await many(30, (index) =>
      cluster.call('POST', '/otps/sms/login_or_create', { phone_number: `+1415555${String(2000 + index * 37)}` }),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(TEXTS);
    expect(await countOf(`select count(*) from outbox where channel = 'sms'`)).toBe(TEXTS);
  });

  soakIt(`${CHALLENGES} challenges are begun for a passkey`, async () => {
    const { session_token } = await signUp('passkey@example.com');
    const body = { domain: 'localhost', return_passkey_credential_options: true };
    const answers = await many(30, () => cluster.call('POST', '/webauthn/register/start', body, String(session_token)));
    expect(typesOf(answers)).toEqual({ ok: CHALLENGES, too_many_requests: 30 - CHALLENGES });
  });

  soakIt('a user has 200 sessions at most', async () => {
    const email = 'sessions@example.com';
    const { user_id, session } = await signUp(email);
    const { rows } = await cluster.database.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = 'sessions' and is_generated = 'NEVER'`,
    );
    const columns = rows.map(({ column_name }) => column_name);
    const values = columns.map((name) => (name === 'session_id' ? `'session-copy-' || n` : name));
    await cluster.database.query(
      `insert into sessions (${columns.join()}) select ${values.join()} from sessions, generate_series(1, 199) as n where session_id = $1`,
      [session.session_id],
    );
    const live = () => countOf('select count(*) from sessions where user_id = $1', user_id);
    expect(await live()).toBe(200);
    const answers = await many(12, () =>
      cluster.call('POST', '/passwords/authenticate', { email, password: GOOD, ...minutes }),
    );
    expect(typesOf(answers)).toEqual({ ok: 12 });
    expect(await live()).toBe(200);
  });
});
