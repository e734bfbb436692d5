import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordLine } from '#provider/accounts/passwords/line.ts';
import { HASHES_AT_ONCE, hashSlots } from '#provider/accounts/passwords/hash.ts';
import { JUDGED_LENGTH, PasswordJudge } from '#provider/accounts/password-strength/judge.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import {
  basic,
  EITHER_DATABASE,
  makeProvider,
  PUBLIC_TOKEN,
  type ProviderResponse,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const GOOD = 'violet tractor moon 88';
const ODD_WORKER = new URL('./odd-worker.mjs', import.meta.url);
const minutes = { session_duration_minutes: 60 };

/** Expects temporary refusals with `Retry-After`, and no error type that would end a session. */
function expectTurnedAway(replies: readonly ProviderResponse[]): void {
  for (const { body, headers } of replies) {
    expect(body).toMatchObject({ status_code: 503, error_type: 'service_unavailable' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}

const withStatus = (replies: readonly ProviderResponse[], status: number) =>
  replies.filter((reply) => reply.status === status);

describe.each(EITHER_DATABASE)('floods of requests, on %s', (_, url) => {
  const judge = new PasswordJudge({ worker: ODD_WORKER, threads: 1, maxQueue: 2, timeoutMs: 500 });
  /** Judges as every server does, with a short queue. */
  const short = new PasswordJudge({ threads: 1, maxQueue: 4 });
  let provider: Provider;
  let odd: Provider;
  let session: string;
  beforeAll(async () => {
    const newPasswordsPerUser = { max: 3, windowMs: 600_000 };
    [provider, odd] = await Promise.all([
      makeProvider(url, { judge: short }),
      makeProvider(url, {
        judge,
        limits: { ...DEFAULT_LIMITS, newPasswordsPerUser, newTotpsPerUser: newPasswordsPerUser },
      }),
    ]);
    session = String((await provider.signIn('ada@example.com'))['session_token']);
    await Promise.all([short.warm(), judge.warm()]);
  });
  afterAll(async () => {
    await Promise.all([provider.close(), odd.close(), short.close(), judge.close()]);
  });

  const refresh = (from: Provider = provider, token = session) =>
    from.post('/sessions/authenticate', minutes, { session: token });

  it('a sender of long random passwords is refused, and other senders are served first', async () => {
    const order: string[] = [];
    const judged = Array.from({ length: SOAK ? 60 : 24 }, async () => {
      const password = randomBytes(1_500).toString('base64');
      const reply = await provider.post('/passwords/strength_check', { password });
      order.push('judged');
      return reply;
    });
    const refreshed = Array.from({ length: 5 }, async () => {
      const reply = await refresh();
      order.push('refreshed');
      return reply;
    });
    expect((await Promise.all(refreshed)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const replies = await Promise.all(judged);
    expect(order.lastIndexOf('refreshed')).toBeLessThan(order.lastIndexOf('judged'));
    expect(withStatus(replies, 200).length).toBeGreaterThan(0);
    expectTurnedAway(replies.filter(({ status }) => status !== 200));
    expect((await provider.post('/passwords/strength_check', { password: GOOD })).data['valid_password']).toBe(true);
  });

  // What threads and queues of this process do depends on no database: it is played on one.
  soakIt('a thread that never ends is stopped in time, and a new one judges the next password', async () => {
    const check = (password: string) => odd.post('/passwords/strength_check', { password });
    const token = String((await odd.signIn('spin@example.com'))['session_token']);
    for (const bad of oneOf(3, ['spin', 'exit', 'fail'])) {
      const spinning = Array.from({ length: 12 }, () => check(bad));
      expect((await refresh(odd, token)).status).toBe(200);
      expectTurnedAway(await Promise.all(spinning));
      expect((await check('calm')).status).toBe(200);
    }
  });

  it('only a short prefix of a long password is judged, with few known words', async () => {
    const email = `${'ab.cd'.repeat(40)}@example.com`;
    for (const password of ['x'.repeat(4_096), '\u{fdfa}'.repeat(100)]) {
      const { data } = await odd.post('/passwords/strength_check', { password, email });
      expect(Number(data['feedback'].warning)).toBe(JUDGED_LENGTH);
      expect(Number(data['feedback'].suggestions[0])).toBeLessThanOrEqual(24);
    }
    const { body } = await odd.post('/passwords/strength_check', { password: 'x'.repeat(4_097) });
    expect(body['error_type']).toBe('password_too_long');
  });

  soakIt('a storm of logins fills a short queue, in which no refresh waits', async () => {
    await provider.post('/passwords', { email: 'known@example.com', password: GOOD, ...minutes });
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const held = Array.from({ length: HASHES_AT_ONCE }, () => hashSlots.run(() => gate));
    const room = passwordLine.slotsOfPeer + passwordLine.longestLine;
    const early: ProviderResponse[] = [];
    let answered = 0;
    const storm = Array.from({ length: room + 50 }, async (__, index) => {
      const email = index % 2 === 0 ? 'known@example.com' : `nobody-${index}@example.com`;
      const reply = await provider.post('/passwords/authenticate', { email, password: GOOD, ...minutes });
      answered += 1;
      if (answered <= 50) early.push(reply);
      expect(hashSlots.running).toBeLessThanOrEqual(HASHES_AT_ONCE);
      return reply;
    });
    const refreshed = await Promise.all(Array.from({ length: 20 }, () => refresh()));
    expect(refreshed.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answered).toBe(50);
    expectTurnedAway(early);
    open();
    await Promise.all(held);
    const replies = await Promise.all(storm);
    expect(withStatus(replies, 503)).toHaveLength(50);
    expect(withStatus(replies, 200).length + withStatus(replies, 401).length).toBe(room);
    // A refused request did not count as a try.
    expect(replies.some(({ status }) => status === 429)).toBe(false);
    expect((await refresh()).status).toBe(200);
  });

  it('hashing leaves one core for the event loop and two threads for signing', () => {
    expect(HASHES_AT_ONCE).toBeLessThanOrEqual(Math.max(1, availableParallelism() - 1));
    const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
    expect(HASHES_AT_ONCE).toBeLessThanOrEqual(Math.max(1, threads - 2));
    // Waiting requests use no database connection, so that the others of the ten connections stay free.
    expect(passwordLine.slots).toBeLessThan(10);
  });

  soakIt('judging and hashing passwords in a session is limited by user', async () => {
    const token = String((await odd.signIn('setter@example.com'))['session_token']);
    const set = (password: string) => odd.post('/passwords/session/reset', { password }, { session: token });
    const tries = await Promise.all(['123456', '123456', '123456', '123456'].map(set));
    expect(tries.map(({ body }) => String(body['error_type'])).sort()).toEqual([
      'breached_password',
      'breached_password',
      'breached_password',
      'too_many_requests',
    ]);
    const limited = await set(GOOD);
    expect(limited.body['error_type']).toBe('too_many_requests');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = String((await odd.signIn('other@example.com'))['session_token']);
    expect((await odd.post('/passwords/session/reset', { password: GOOD }, { session: other })).status).toBe(200);
  });

  soakIt('drawing QR codes is limited by user', async () => {
    const { session_token } = await odd.signIn('drawer@example.com');
    const draw = () => odd.post('/totps', { expiration_minutes: 30 }, { session: String(session_token) });
    for (let drawn = 0; drawn < 3; drawn += 1) expect((await draw()).status).toBe(200);
    expect((await draw()).body['error_type']).toBe('too_many_requests');
  });

  soakIt('every endpoint that judges passwords is limited by network', async () => {
    const strict = { ...DEFAULT_LIMITS, searchesPerNetwork: { max: 2, windowMs: 60_000 } };
    const limited = await makeProvider(url, { judge, limits: strict });
    const from = async (path: string, body: Fields, token = PUBLIC_TOKEN) => {
      const headers = { authorization: basic(PUBLIC_TOKEN, token), 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const env = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
      return (await limited.app.request(`/sdk/v1${path}`, init, env)).status;
    };
    const { session_token } = await limited.signIn('net@example.com');
    await limited.post('/passwords/session/reset', { password: GOOD }, { session: String(session_token) });
    const { session_token: token } = await limited.signIn('net@example.com');
    const old = { email: 'net@example.com', existing_password: GOOD, new_password: '123456', ...minutes };
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await from('/passwords/strength_check', { password: '123456' })).toBe(200);
    }
    expect(await from('/passwords/strength_check', { password: '123456' })).toBe(429);
    expect(await from('/passwords/session/reset', { password: '123456' }, String(token))).toBe(429);
    expect(await from('/passwords/existing_password/reset', old)).toBe(429);
    await limited.post('/passwords/email/reset/start', { email: 'net@example.com' });
    const message = (await limited.inbox()).find(({ link }) => link?.includes('reset_password'));
    const link = new URL(message?.link ?? '').searchParams.get('token') ?? '';
    expect(await from('/passwords/email/reset', { token: link, password: '123456', ...minutes })).toBe(429);
    await limited.close();
  });
});
