import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier } from '#composition/server.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { API_URL, bearer, Issuer, PROJECT_ID, withCookies } from './issuer.ts';
import { refused, ScriptedTransport, signedIn } from './scripted-api.ts';

const PUBLIC_TOKEN = 'public-token-test-x';
const SECRET = 'secret-test-x';

let clock: VirtualClock;
let issuer: Issuer;
let transport: ScriptedTransport;
let keys: FakeKeys;
let byPublicToken: Verifier;
let bySecret: Verifier;

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => clock.now());
});

beforeEach(() => {
  clock = new VirtualClock();
  transport = new ScriptedTransport();
  keys = new FakeKeys([issuer.published]);
  const options = { projectId: PROJECT_ID, apiUrl: API_URL, adapters: { clock, keys, transport } };
  byPublicToken = createVerifier({ ...options, publicToken: PUBLIC_TOKEN });
  bySecret = createVerifier({ ...options, secret: SECRET });
});

describe('a JWT of a key that is not known yet', () => {
  let next: Issuer;
  beforeAll(async () => {
    next = await Issuer.make('key-2', () => clock.now());
  });
  const forge = (at: number): Promise<string> => next.sign(next.claims('user-9'), { kid: `made-${at}` });

  it.each(['the client’s API', 'the backend API'])('is checked by %s, which has the keys read again', async (api) => {
    const verifier = api === 'the backend API' ? bySecret : byPublicToken;
    await verifier.authenticateRequest(bearer(await issuer.jwt('user-1')));
    keys.keys = [issuer.published, next.published];
    transport.answer = signedIn('user-2');
    const jwt = await next.jwt('user-2');
    expect(await verifier.authenticateRequest(bearer(jwt))).toMatchObject({ user_id: 'user-2', source: 'api' });
    expect(await verifier.authenticateRequest(bearer(jwt))).toMatchObject({ user_id: 'user-2', source: 'jwt' });
    expect([keys.reads, transport.requests.length]).toEqual([2, 1]);
  });

  it('signs out when the API refuses it, and nobody when the API gives no answer', async () => {
    await bySecret.authenticateRequest(bearer(await issuer.jwt('user-1')));
    transport.answer = refused(404, 'session_not_found');
    const over = { status: 'signed-out', reason: 'session-ended' };
    expect(await bySecret.authenticateRequest(bearer(await forge(1)))).toEqual(over);
    transport.answer = refused(500, 'internal_server_error');
    expect(await bySecret.authenticateRequest(bearer(await forge(2)))).toMatchObject({ status: 'unavailable' });
  });

  it('beside a session token costs no request of its own', async () => {
    await bySecret.authenticateRequest(bearer(await issuer.jwt('user-1')));
    transport.answer = signedIn('user-2');
    const request = withCookies(`stytch_session_jwt=${await next.jwt('user-2')}; stytch_session=token-2`);
    expect(await bySecret.authenticateRequest(request)).toMatchObject({ user_id: 'user-2', source: 'api' });
    expect(transport.requests.map(({ body }) => body)).toEqual(['{"session_token":"token-2"}']);
  });

  it('that strangers invent, a thousand times, causes few requests, and harms no user', async () => {
    await bySecret.authenticateRequest(bearer(await issuer.jwt('user-1')));
    transport.answer = refused(404, 'session_not_found');
    for (let at = 0; at < 500; at += 1) await bySecret.authenticateRequest(bearer(await forge(at)));
    const forged = await Promise.all(Array.from({ length: 500 }, (_, at) => forge(500 + at)));
    await Promise.all(forged.map((jwt) => bySecret.authenticateRequest(bearer(jwt))));
    expect(transport.requests.length).toBeLessThanOrEqual(20);
    expect(keys.reads).toBe(1);
    const known = await bySecret.authenticateRequest(bearer(await issuer.jwt('user-1')));
    expect(known).toMatchObject({ user_id: 'user-1', source: 'jwt' });
    keys.keys = [issuer.published, next.published];
    transport.answer = signedIn('user-2');
    const request = withCookies(`stytch_session_jwt=${await next.jwt('user-2')}; stytch_session=token-2`);
    expect(await bySecret.authenticateRequest(request)).toMatchObject({ user_id: 'user-2' });
    clock.jump(500);
    expect(await bySecret.authenticateRequest(bearer(await next.jwt('user-2')))).toMatchObject({ user_id: 'user-2' });
  });

  it('is unavailable, with the time of the next try, where the API cannot be asked', async () => {
    const offline = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { clock, keys, transport } });
    await offline.authenticateRequest(bearer(await issuer.jwt('user-1')));
    keys.keys = [issuer.published, next.published];
    clock.jump(3_000);
    const jwt = await next.jwt('user-2');
    expect(await offline.authenticateRequest(bearer(jwt))).toMatchObject({
      status: 'unavailable',
      needs: 'keys',
      retryAfterMs: 2_000,
    });
    clock.jump(2_000);
    expect(await offline.authenticateRequest(bearer(jwt))).toMatchObject({ user_id: 'user-2', source: 'jwt' });
  });
});

describe('a JWT that is not valid yet, by a clock that is behind', () => {
  const early = (): Promise<string> =>
    issuer.sign({ ...issuer.claims('user-1'), nbf: Math.floor(clock.now() / 1000) + 7 });

  it('is checked by the API', async () => {
    transport.answer = signedIn('user-1');
    for (const verifier of [bySecret, byPublicToken]) {
      expect(await verifier.authenticateRequest(bearer(await early()))).toMatchObject({
        status: 'signed-in',
        source: 'api',
      });
    }
    transport.answer = refused(404, 'session_not_found');
    expect(await bySecret.authenticateRequest(bearer(await early()))).toMatchObject({ reason: 'session-ended' });
  });

  it('of a session that is bound to its browser is sent in place of the session token', async () => {
    transport.answer = signedIn('user-1');
    const claims = issuer.claims('user-1', undefined, 'token-1');
    const session = { ...(claims['https://stytch.com/session'] as object), device_bound: true };
    const nbf = Math.floor(clock.now() / 1000) + 7;
    const jwt = await issuer.sign({ ...claims, nbf, 'https://stytch.com/session': session });
    await bySecret.authenticateRequest(withCookies(`stytch_session_jwt=${jwt}; stytch_session=token-1`));
    expect(transport.requests.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([{ session_jwt: jwt }]);
  });
});
