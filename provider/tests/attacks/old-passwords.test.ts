import type { RequestListener, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockOut } from '#provider/operation/operators/users/actions.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import { DEFAULT_LIMITS, type Limits } from '#provider/project/settings/limits.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { withProject } from '../kit/other-project.ts';
import { makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1wYXNzd29yZC1jaGVjaw==';
const OLDER = 'whsec_b2xkZXItc2VjcmV0LW9mLXRoZS1wYXNzd29yZC1jaGVjaw==';
const ADMIN = { name: 'Grace', address: null, request_id: null };
const PASSWORD = 'tumbling-lanterns-over-quiet-water-41';
const NEXT = 'forty-two-paper-boats-on-a-green-canal';
const RESET = 'a reset';
const ELSEWHERE = { password: { elsewhere: true } };

describe.each(EITHER_DATABASE)('passwords that the old system keeps, on %s', (_, url) => {
  let host: DocumentHost;
  let provider: Provider;
  /** The requests that reached the old system. */
  let asked: { readonly headers: Record<string, string>; readonly body: string }[];
  beforeAll(async () => {
    host = await documentHost();
    provider = await makeTarget(url);
  });
  afterAll(async () => {
    await Promise.all([provider.close(), host.close()]);
  });
  let paths = 0;
  beforeEach(async () => {
    asked = [];
    await provider.services.db.deleteFrom('users').execute();
    await provider.services.db.deleteFrom('limit_windows').execute();
    provider.clock.time = Date.now();
  });

  /** The old system answers so. Each has a state of its own, as each project. */
  function oldSystem(
    answer: (response: ServerResponse, claim: Fields) => unknown,
    { limits = {}, settings = {} }: { readonly limits?: Partial<Limits>; readonly settings?: object } = {},
  ): Provider {
    const listener: RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        asked.push({ headers: request.headers as Record<string, string>, body });
        response.on('error', () => undefined);
        answer(response, JSON.parse(body) as Fields);
      });
    };
    const address = host.answer(`/check-${(paths += 1)}`, listener);
    const password_check = { url: address, secret: [SECRET, OLDER], timeout_seconds: 20, ...settings };
    return withProject(provider, { password_check }, limits);
  }
  const reply = (response: ServerResponse, json: unknown, status = 200) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  /** The right password is `PASSWORD`. */
  const honest = (limits: Partial<Limits> = {}) =>
    oldSystem((response, { password }) => reply(response, { correct: password === PASSWORD }), { limits });

  async function imported(door: Provider, line: Fields = ELSEWHERE, email = uniqueEmail('there')) {
    const result = await importUser(door.services, { emails: [{ email, verified: true }], ...line }, ADMIN);
    if (result.result !== 'imported') throw new Error(JSON.stringify(result));
    return { email, user_id: result.user_id };
  }
  const logIn = (door: Provider, email: string, password = PASSWORD) =>
    door.post('/passwords/authenticate', { email, password, ...MINUTES });
  const hashOf = async (user_id: string) =>
    (
      await provider.services.db
        .selectFrom('passwords')
        .select('hash')
        .where('user_id', '=', user_id)
        .executeTakeFirst()
    )?.hash;
  const outcome = async (login: Promise<{ readonly status: number; readonly body: Fields }>) => {
    const { status, body } = await login;
    return status === 200 ? 'in' : String(body['error_type']);
  };
  const WRONG = 'unauthorized_credentials';
  const UNAVAILABLE = 'service_unavailable';

  it('are asked about once, in a signed request, and kept here from then on', async () => {
    const door = honest();
    const { email, user_id } = await imported(door, { ...ELSEWHERE, external_id: 'crm-17' });
    expect(await hashOf(user_id)).toBe('elsewhere:');
    const { status, data } = await logIn(door, email.toUpperCase().replace('@EXAMPLE.COM', '@example.com'));
    expect([status, data['user_id']]).toEqual([200, user_id]);
    const [request] = asked;
    for (const secret of [SECRET, OLDER]) {
      const claim = new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {});
      expect(claim).toEqual({ email, user_id, external_id: 'crm-17', password: PASSWORD });
    }
    expect(await hashOf(user_id)).toMatch(/^\$argon2id\$/u);
    expect(await outcome(logIn(door, email))).toBe('in');
    expect(await outcome(logIn(door, email, NEXT))).toBe(WRONG);
    expect(await outcome(logIn(provider, email))).toBe('in');
    expect(asked).toHaveLength(1);
  });

  it('look the same to those who guess: unknown, here and there', async () => {
    const door = honest();
    const there = await imported(door);
    const here = await imported(door);
    await logIn(door, here.email);
    const before = asked.length;
    const replies = await Promise.all(
      [there.email, here.email, uniqueEmail('nobody')].map((email) => logIn(door, email, 'a wrong password')),
    );
    const shown = replies.map(({ status, body }) => ({ ...body, status, request_id: '' }));
    expect(shown[0]).toMatchObject({ status: 401, error_type: WRONG });
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    expect(asked.length - before).toBe(1);
    const search = async (email: string) => (await door.post('/users/search', { email })).data['userType'];
    expect(await search(there.email)).toBe(await search(here.email));
  });

  it('are asked about for nobody else: not for strangers, other users, an empty password, or once there is one here', async () => {
    const door = honest();
    await imported(door);
    const plain = await imported(door, {});
    const empty = await imported(door);
    for (const email of [uniqueEmail('nobody'), plain.email]) expect(await outcome(logIn(door, email))).toBe(WRONG);
    expect(await outcome(logIn(door, empty.email, ''))).not.toBe('in');
    const users = await provider.services.db.selectFrom('users').select('user_id').execute();
    expect(users).toHaveLength(3);
    expect(asked).toEqual([]);
  });

  it('are guessed no faster than passwords that are here: the limits come first', async () => {
    const limits = { failuresPerUser: { ...DEFAULT_LIMITS.failuresPerUser, max: 3 } };
    const door = honest({ ...limits, strangerFailuresPerUser: { max: 3, windowMs: 60 * MINUTE } });
    const { email } = await imported(door);
    const replies: string[] = [];
    for (let times = 0; times < 8; times += 1) replies.push(await outcome(logIn(door, email, `guess ${times}`)));
    expect(replies.at(-1)).toBe('user_lock_limit_reached');
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(await outcome(logIn(door, email))).toBe('user_lock_limit_reached');
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['fails', (response) => reply(response, { correct: true }, 500)],
    ['answers 401', (response) => reply(response, { correct: true }, 401)],
    ['redirects', (response) => response.writeHead(307, { Location: `${host.origin}/elsewhere` }).end()],
    ['says a text', (response) => reply(response, { correct: 'true' })],
    ['says nothing', (response) => reply(response, {})],
    ['sends no JSON', (response) => response.end('<html>')],
    ['sends a lot', (response) => response.end(`{"correct":true,"x":"${'x'.repeat(5000)}"}`)],
    ['hangs up', (response) => response.destroy()],
  ])('refuse the login with a reply that allows another try if the old system %s', async (_name, answer) => {
    let isWell = false;
    const door = oldSystem((response) => (isWell ? reply(response, { correct: true }) : answer(response)));
    const { email, user_id } = await imported(door);
    const before = host.reads();
    const { status, body, headers } = await logIn(door, email);
    expect([status, body['error_type'], headers.get('retry-after')]).toEqual([503, UNAVAILABLE, '10']);
    expect(host.reads() - before).toBe(1);
    expect(await hashOf(user_id)).toBe('elsewhere:');
    isWell = true;
    expect(await outcome(logIn(door, email))).toBe('in');
  });

  it('do not wait for an old system that never answers', async () => {
    const door = oldSystem(() => undefined, { settings: { timeout_seconds: 1 } });
    const { email } = await imported(door);
    expect(await outcome(logIn(door, email))).toBe(UNAVAILABLE);
  });

  it('show during an outage as little as before, and those who are here still come in', async () => {
    const door = oldSystem((response) => reply(response, {}, 500));
    const there = await imported(door);
    const here = await imported(door);
    await logIn(honest(), here.email);
    expect(await outcome(logIn(door, there.email))).toBe(UNAVAILABLE);
    for (const email of [there.email, here.email, uniqueEmail('nobody')]) {
      expect(await outcome(logIn(door, email, 'a wrong password'))).toBe(UNAVAILABLE);
    }
    expect(await outcome(logIn(door, here.email))).toBe('in');
  });

  it('hold nobody up: others log in while the old system is silent', async () => {
    const waiting: ServerResponse[] = [];
    const door = oldSystem((response) => waiting.push(response));
    const slow = await Promise.all(Array.from({ length: 12 }, () => imported(door)));
    const here = await imported(door);
    const helper = honest();
    await logIn(helper, here.email);
    const logins = slow.map(({ email }) => logIn(door, email));
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    for (let times = 0; times < 5; times += 1) expect(await outcome(logIn(door, here.email))).toBe('in');
    expect(waiting.length).toBeLessThanOrEqual(8);
    const answering = setInterval(() => waiting.splice(0).forEach((each) => reply(each, { correct: true })), 5);
    const replies = await Promise.all(logins).finally(() => clearInterval(answering));
    expect(replies.map(({ status }) => status)).toEqual(slow.map(() => 200));
    expect(await outcome(logIn(door, here.email))).toBe('in');
  });

  it('let two logins at once in, and keep one hash', async () => {
    const waiting: ServerResponse[] = [];
    const door = oldSystem((response) => waiting.push(response));
    const { email, user_id } = await imported(door);
    const logins = [logIn(door, email), logIn(door, email)];
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const response of waiting) reply(response, { correct: true });
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await hashOf(user_id)).toMatch(/^\$argon2id\$/u);
    expect(asked).toHaveLength(2);
  });

  const reset = async (door: Provider, email: string) => {
    await door.post('/passwords/email/reset/start', { email });
    const token = new URL((await provider.newest(email))?.link ?? '').searchParams.get('token');
    return door.post('/passwords/email/reset', { token, password: NEXT, ...MINUTES });
  };

  it.each<[string, (door: Provider, user: { email: string; user_id: string }) => Promise<unknown>, string]>([
    [RESET, (door, { email }) => reset(door, email), WRONG],
    [
      'a deletion',
      (door, { user_id }) => door.services.db.deleteFrom('users').where('user_id', '=', user_id).execute(),
      WRONG,
    ],
    ['a lock', (door, { user_id }) => lockOut(door.services, user_id, ADMIN), 'user_locked'],
  ])('lose against %s while the old system is asked', async (name, act, expected) => {
    const waiting: ServerResponse[] = [];
    const door = oldSystem((response, { password }) =>
      password === PASSWORD && waiting.length === 0 ? waiting.push(response) : reply(response, { correct: false }),
    );
    const user = await imported(door);
    const login = logIn(door, user.email);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await act(door, user);
    const [response] = waiting;
    if (response !== undefined) reply(response, { correct: true });
    expect(await outcome(login)).toBe(expected);
    if (expected === 'user_locked') expect(await hashOf(user.user_id)).toBe('elsewhere:');
    else if (name === RESET) expect(await outcome(logIn(door, user.email, NEXT))).toBe('in');
    else expect(await provider.services.db.selectFrom('passwords').select('hash').execute()).toEqual([]);
  });

  it('must be reset if they are known from a breach', async () => {
    const door = oldSystem((response) => reply(response, { correct: true }));
    const { email, user_id } = await imported(door);
    expect(await outcome(logIn(door, email, 'password123'))).toBe('reset_password');
    expect(await hashOf(user_id)).toBe('elsewhere:');
    expect((await reset(door, email)).status).toBe(200);
    expect(await outcome(logIn(door, email, NEXT))).toBe('in');
  });

  it('can be replaced right away', async () => {
    const door = honest();
    const { email } = await imported(door);
    const fields = { email, existing_password: PASSWORD, new_password: NEXT, ...MINUTES };
    expect((await door.post('/passwords/existing_password/reset', fields)).status).toBe(200);
    expect(await outcome(logIn(door, email, NEXT))).toBe('in');
    expect(asked).toHaveLength(1);
  });

  it('are wrong ones where nobody checks them, and a reset still helps', async () => {
    const { email } = await imported(honest());
    expect(await outcome(logIn(provider, email))).toBe(WRONG);
    expect((await reset(provider, email)).status).toBe(200);
    expect(await outcome(logIn(provider, email, NEXT))).toBe('in');
    expect(asked).toEqual([]);
  });

  it('are imported only where somebody checks them, and exported as they were', async () => {
    const door = honest();
    const line = { emails: [{ email: 'ada@example.com', verified: true }] };
    const reason = async (at: Provider, password: Fields) =>
      (await importUser(at.services, { ...line, password }, ADMIN)) as Fields;
    expect(await reason(provider, { elsewhere: true })).toMatchObject({ result: 'refused', reason: expect.stringContaining('password_check') }); // prettier-ignore
    for (const password of [{ elsewhere: false }, { elsewhere: true, hash: 'x' }, { elsewhere: 'yes' }]) {
      expect(await reason(door, password)).toMatchObject({
        reason: expect.stringContaining('password.elsewhere must be true'),
      });
    }
    const { email } = await imported(door);
    const { rows } = await perform(door.services, 'users.export', { all: true, with_hashes: true });
    const exported = (rows as readonly Fields[]).find(({ emails }) => (emails as Fields[])[0]?.['email'] === email);
    expect(exported?.['password']).toEqual({ elsewhere: true });
  });
});
