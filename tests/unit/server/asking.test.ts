import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier } from '#composition/server.ts';
import type { HttpRequest } from '#application/ports/index.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { API_URL, bearer, Issuer, PROJECT_ID, withCookies } from './issuer.ts';
import { refused, ScriptedTransport, sessionOf, signedIn, type Answer } from './scripted-api.ts';

const PUBLIC_TOKEN = 'public-token-test-x';
const SECRET = 'secret-test-x';

let clock: VirtualClock;
let issuer: Issuer;
let transport: ScriptedTransport;
let byPublicToken: Verifier;
let bySecret: Verifier;

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => clock.now());
});

beforeEach(() => {
  clock = new VirtualClock();
  transport = new ScriptedTransport();
  const keys = new FakeKeys([issuer.published]);
  const options = { projectId: PROJECT_ID, apiUrl: API_URL, adapters: { clock, keys, transport } };
  byPublicToken = createVerifier({ ...options, publicToken: PUBLIC_TOKEN });
  bySecret = createVerifier({ ...options, secret: SECRET });
});

const basic = (request: HttpRequest | undefined): string =>
  Buffer.from(request?.headers['authorization']?.replace('Basic ', '') ?? '', 'base64').toString();

describe('a session token', () => {
  it('is checked by the client’s API with the public token', async () => {
    transport.answer = signedIn('user-1', { roles: ['editor', 7], custom_claims: { plan: 'gold' } });
    expect(await byPublicToken.authenticateRequest(bearer('token-1'))).toMatchObject({
      status: 'signed-in',
      user_id: 'user-1',
      roles: ['editor'],
      claims: { plan: 'gold' },
      source: 'api',
    });
    const [request] = transport.requests;
    expect([request?.method, request?.url]).toEqual(['POST', `${API_URL}/sdk/v1/sessions/authenticate`]);
    expect([basic(request), request?.body]).toEqual([`${PUBLIC_TOKEN}:token-1`, '{}']);
  });

  it('is checked by the backend API with the secret, which takes precedence', async () => {
    transport.answer = signedIn('user-1');
    expect(await bySecret.authenticateRequest(bearer('token-1'))).toMatchObject({
      status: 'signed-in',
      roles: ['of-the-user'],
      source: 'api',
    });
    const [request] = transport.requests;
    expect([request?.method, request?.url]).toEqual(['POST', `${API_URL}/v1/sessions/authenticate`]);
    expect([basic(request), request?.body]).toEqual([`${PROJECT_ID}:${SECRET}`, '{"session_token":"token-1"}']);
  });

  it('names the user of the API’s reply, and no other', async () => {
    transport.answer = signedIn('user-1');
    const user = { user_id: 'user-1', roles: ['of-the-user'] };
    expect(await bySecret.authenticateRequest(bearer('t'))).toMatchObject({ user });
    transport.answer = () => [200, { session: sessionOf('user-1'), user: { user_id: 'user-2' } }];
    expect(await bySecret.authenticateRequest(bearer('t'))).toMatchObject({ user_id: 'user-1', user: null });
  });

  it('that is over signs out, by the words of each API', async () => {
    const over = { status: 'signed-out', reason: 'session-ended' };
    transport.answer = refused(401, 'unauthorized_credentials');
    expect(await byPublicToken.authenticateRequest(bearer('t'))).toEqual(over);
    // Here it is the project's secret that was refused.
    expect(await bySecret.authenticateRequest(bearer('t'))).toMatchObject({ status: 'unavailable', needs: 'session' });
    transport.answer = refused(404, 'session_not_found');
    expect(await bySecret.authenticateRequest(bearer('t'))).toEqual(over);
  });

  const TROUBLE: readonly (readonly [string, Answer])[] = [
    ['an error of the server', refused(500, 'internal_server_error')],
    ['a wrong public token', refused(400, 'invalid_public_token')],
    ['a route that is not there', refused(404, 'route_not_found')],
    ['HTML', () => [200, '<!doctype html>', { 'content-type': 'text/html' }]],
    ['no session', () => [200, { data: { session: null } }]],
    ['a session of nobody', () => [200, { data: { session: sessionOf('') }, session: sessionOf('') }]],
    [
      'a broken connection',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ];
  it.each(TROUBLE)('answered with %s does not sign out', async (_name, answer) => {
    transport.answer = answer;
    for (const verifier of [byPublicToken, bySecret]) {
      const result = await verifier.authenticateRequest(bearer('t'));
      expect(result).toMatchObject({ status: 'unavailable', needs: 'session', retryAfterMs: 5_000 });
    }
  });

  it('that is limited says when to try again', async () => {
    transport.answer = refused(429, 'rate_limit_exceeded', { 'retry-after': '7' });
    const result = await byPublicToken.authenticateRequest(bearer('t'));
    expect(result).toMatchObject({ retryAfterMs: 7_000, error: { error_type: 'rate_limit_exceeded' } });
  });
});

describe('a JWT', () => {
  it('that has expired is checked by the API, by the session token of the request if there is one', async () => {
    const jwt = await issuer.jwt('user-1');
    clock.jump(600_000);
    transport.answer = signedIn('user-1');
    expect(await bySecret.authenticateRequest(bearer(jwt))).toMatchObject({ status: 'signed-in', source: 'api' });
    await bySecret.authenticateRequest(withCookies(`stytch_session_jwt=${jwt}; stytch_session=token-1`));
    expect(transport.requests.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
      { session_jwt: jwt },
      { session_token: 'token-1' },
    ]);
  });

  it('and a session token of different users sign no one in, when the answer must be fresh', async () => {
    transport.answer = signedIn('user-2');
    const cookies = withCookies(`stytch_session_jwt=${await issuer.jwt('user-1')}; stytch_session=token-2`);
    expect(await bySecret.authenticateRequest(cookies, { fresh: true })).toEqual({
      status: 'signed-out',
      reason: 'ambiguous',
    });
  });

  it('counts without a request beside the token that it names, and beside another one after the API was asked', async () => {
    const jwt = await issuer.jwt('user-1', undefined, 'token-1');
    const request = (token: string) => withCookies(`stytch_session_jwt=${jwt}; stytch_session=${token}`);
    transport.answer = signedIn('user-1');
    expect(await bySecret.authenticateRequest(request('token-1'))).toMatchObject({ user_id: 'user-1', source: 'jwt' });
    expect(transport.requests).toEqual([]);
    expect(await bySecret.authenticateRequest(request('token-2'))).toMatchObject({ user_id: 'user-1', source: 'api' });
    transport.answer = signedIn('user-2');
    expect(await bySecret.authenticateRequest(request('token-2'))).toMatchObject({ reason: 'ambiguous' });
    transport.answer = refused(404, 'session_not_found');
    expect(await bySecret.authenticateRequest(request('token-2'))).toMatchObject({ reason: 'session-ended' });
    transport.answer = refused(500, 'internal_server_error');
    expect(await bySecret.authenticateRequest(request('token-2'))).toMatchObject({ status: 'unavailable' });
  });

  it('of an issuer that names no token is checked by the session token of the request', async () => {
    transport.answer = signedIn('user-1');
    const request = withCookies(`stytch_session_jwt=${await issuer.jwt('user-1')}; stytch_session=token-1`);
    expect(await bySecret.authenticateRequest(request)).toMatchObject({ user_id: 'user-1', source: 'api' });
    const offline = createVerifier({
      projectId: PROJECT_ID,
      apiUrl: API_URL,
      adapters: { clock, keys: new FakeKeys([issuer.published]), transport },
    });
    expect(await offline.authenticateRequest(request)).toEqual({ status: 'signed-out', reason: 'cannot-ask' });
  });

  it('that has expired signs no one in, and still contradicts a token of another user', async () => {
    const expired = await issuer.jwt('user-1');
    clock.jump(600_000);
    transport.answer = signedIn('user-2');
    const ambiguous = { status: 'signed-out', reason: 'ambiguous' };
    for (const other of [`stytch_session_jwt=${await issuer.jwt('user-2')}`, 'stytch_session=token-2']) {
      for (const cookies of [
        [`stytch_session_jwt=${expired}`, other],
        [other, `stytch_session_jwt=${expired}`],
      ]) {
        expect(await bySecret.authenticateRequest(withCookies(cookies.join('; ')))).toEqual(ambiguous);
      }
    }
  });

  it('that is valid is checked by the API when the answer must be fresh', async () => {
    transport.answer = signedIn('user-1');
    const jwt = await issuer.jwt('user-1');
    expect(await byPublicToken.authenticateRequest(bearer(jwt), { fresh: true })).toMatchObject({ source: 'api' });
    expect(basic(transport.requests[0])).toBe(`${PUBLIC_TOKEN}:${jwt}`);
  });

  it('with an unknown signature is not sent to the API', async () => {
    const [head = '', , sign = ''] = (await issuer.jwt('user-1')).split('.');
    const forged = `${head}.${Buffer.from('{}').toString('base64url')}.${sign}`;
    for (const fresh of [true, false]) {
      const result = await byPublicToken.authenticateRequest(bearer(forged), { fresh });
      expect(result).toEqual({ status: 'signed-out', reason: 'untrusted-jwt' });
    }
    expect(transport.requests).toEqual([]);
  });
});

describe('several cookies of one name', () => {
  it('are valid when those that are valid are of one user', async () => {
    const [good, other] = [await issuer.jwt('user-1'), await issuer.jwt('user-2')];
    const ask = async (...jwts: string[]) =>
      byPublicToken.authenticateRequest(withCookies(jwts.map((jwt) => `stytch_session_jwt=${jwt}`).join('; ')));
    expect(await ask('a.b.c', good)).toMatchObject({ status: 'signed-in', user_id: 'user-1' });
    expect(await ask(good, other)).toEqual({ status: 'signed-out', reason: 'ambiguous' });
    expect(await ask('a.b.c', 'd.e.f', 'g.h.i', good)).toEqual({ status: 'signed-out', reason: 'ambiguous' });
  });

  it('are asked about, each session token once', async () => {
    transport.answer = (request) =>
      (basic(request).endsWith(':old') ? refused(401, 'unauthorized_credentials') : signedIn('user-1'))(request);
    const request = withCookies('stytch_session=old; stytch_session=new; stytch_session=old');
    expect(await byPublicToken.authenticateRequest(request)).toMatchObject({ status: 'signed-in', source: 'api' });
    expect(transport.requests.length).toBe(2);
  });
});

describe('a permission', () => {
  const policy = { roles: [{ role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['*'] }] }] };
  const permission = { resource_id: 'documents', action: 'delete' };

  it('is judged by the policy, which is kept for five minutes and shared by a herd', async () => {
    transport.answer = ({ url }) => [200, url.includes('/sdk/') ? { data: { rbac_policy: policy } } : { policy }];
    for (const [verifier, address] of [
      [byPublicToken, `${API_URL}/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`],
      [bySecret, `${API_URL}/v1/rbac/policy?project_id=${PROJECT_ID}`],
    ] as const) {
      transport.requests.length = 0;
      const ask = async (role: string) =>
        verifier.authenticateRequest(bearer(await issuer.jwt('user-1', [role])), { permission });
      const herd = await Promise.all(Array.from({ length: 20 }, async () => ask('editor')));
      expect(new Set(herd.map(({ status }) => status))).toEqual(new Set(['signed-in']));
      expect(await ask('viewer')).toMatchObject({ status: 'forbidden', lacks: { permission } });
      expect(transport.requests.map(({ url }) => url)).toEqual([address]);
      clock.jump(300_000);
      await ask('editor');
      expect(transport.requests.length).toBe(2);
    }
  });

  it('is neither given nor refused while the policy cannot be read', async () => {
    const request = bearer(await issuer.jwt('user-1', ['editor']));
    for (const answer of [refused(500, 'internal_server_error'), (() => [200, { data: {} }]) as Answer]) {
      transport.answer = answer;
      const result = await byPublicToken.authenticateRequest(request, { permission });
      expect(result).toMatchObject({ status: 'unavailable', needs: 'policy' });
    }
    // Who lacks a role needs no policy to be refused.
    const result = await byPublicToken.authenticateRequest(request, { permission, roles: ['admin'] });
    expect(result).toMatchObject({ status: 'forbidden', lacks: { roles: ['admin'] } });
  });
});
