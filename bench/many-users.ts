/**
 * The duration of a session check with a million users, compared with a thousand (`BENCH_USERS` sets another number). Every check is
 * of another user, and so long after the session's last check that its use is recorded. The two measurements alternate.
 */
import pg from 'pg';
import { openDatabase } from '../provider/src/base/db/open.ts';
import { basic, freshStore, makeProvider, PUBLIC_TOKEN } from '../provider/tests/kit/harness.ts';
import type { Latency } from './report.ts';

const ROUNDS = 8;
const ROUND_MS = 1_500;
const AT_ONCE = 10;
const MINUTE_MS = 60_000;
const FEW = 1_000;
const MANY = Number(process.env['BENCH_USERS'] ?? 1_000_000);

interface Crowd {
  readonly users: number;
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Users with an address and a session each. The ids are random, like those of real users. */
const ROWS = [
  `create temporary table made as
    select number, 'user-test-' || gen_random_uuid() as user_id, 'session-test-' || gen_random_uuid() as session_id
    from generate_series(1, $USERS) as number`,
  `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
    select user_id, now() - number * interval '1 second', 'active', '{}', '{}', '{}', '[]' from made`,
  `insert into emails (email_id, user_id, email, email_key, verified, created_at)
    select 'email-test-' || gen_random_uuid(), user_id, 'user-' || number || '@example.com',
      'user-' || number || '@example.com', true, now() from made`,
  `insert into sessions
    (session_id, user_id, started_at, last_accessed_at, expires_at, attributes, authentication_factors)
    select session_id, user_id, now(), now() - interval '5 minutes', now() + interval '30 days',
      '{"ip_address":"192.0.2.1","user_agent":"Mozilla/5.0"}', '[{"type":"otp","delivery_method":"email"}]' from made`,
  `insert into session_tokens (token_hash, session_id)
    select rtrim(translate(encode(sha256(('token-' || number)::bytea), 'base64'), '+/', '-_'), '='), session_id from made`,
  `vacuum analyze users, emails, sessions, session_tokens`,
];

async function crowd(url: string, users: number): Promise<Crowd> {
  const { store, drop } = await freshStore(url);
  const db = await openDatabase(store);
  const client = new pg.Client({ connectionString: store.kind === 'postgres' ? store.url : url });
  await client.connect();
  for (const statement of ROWS) await client.query(statement.replace('$USERS', String(users)));
  await client.end();
  // The clock advances by a minute during each pass over the smaller set of users.
  let turn = 0;
  const clock = { now: () => Date.now() + (turn * MINUTE_MS) / FEW };
  const provider = await makeProvider(undefined, { db, clock });
  const authenticate = async (user: number): Promise<void> => {
    const reply = await provider.app.request('/sdk/v1/sessions/authenticate', {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, `token-${user}`), 'content-type': 'application/json' },
      body: '{}',
    });
    if (reply.status !== 200) throw new Error(`A check was answered with ${reply.status}`);
  };
  return {
    users,
    check: () => authenticate(1 + ((turn += 1) % users)),
    async close() {
      await provider.close();
      await db.destroy();
      await drop();
    },
  };
}

/** Runs checks for a while, ten concurrently. Returns the time of each in milliseconds. */
async function round({ check }: Crowd): Promise<readonly number[]> {
  const times: number[] = [];
  const until = performance.now() + ROUND_MS;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await check();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return times;
}

function latency(users: number, times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const seconds = (ROUNDS * ROUND_MS) / 1_000;
  return { users, median: at(0.5), p99: at(0.99), rate: times.length / seconds };
}

const url = process.env['TEST_DATABASE_URL'];
if (url === undefined) throw new Error('a million users need PostgreSQL');
const crowds = [await crowd(url, FEW), await crowd(url, MANY)];
const times = crowds.map((): number[] => []);
for (let turn = 0; turn <= ROUNDS; turn += 1) {
  for (const [place, one] of crowds.entries()) {
    const measured = await round(one);
    // The first round warms up.
    if (turn > 0) times[place]?.push(...measured);
  }
}
process.stdout.write(`${JSON.stringify(crowds.map(({ users }, place) => latency(users, times[place] ?? [])))}\n`);
for (const { close } of crowds) await close();
process.exit(0);
