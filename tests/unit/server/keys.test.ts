import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVerifier, type Authentication, type Verifier } from '#composition/server.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { LoopbackServer } from '../infrastructure/support/loopback-server.ts';
import { API_URL, bearer, Issuer, PROJECT_ID } from './issuer.ts';

const MINUTE = 60_000;
let clock: VirtualClock;
let first: Issuer;
let second: Issuer;
let keys: FakeKeys;
let verifier: Verifier;

beforeAll(async () => {
  first = await Issuer.make('key-1', () => clock.now());
  second = await Issuer.make('key-2', () => clock.now());
});

beforeEach(() => {
  clock = new VirtualClock();
  keys = new FakeKeys([first.published]);
  verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { clock, keys } });
});

const ask = async (jwt: string): Promise<Authentication> => verifier.authenticateRequest(bearer(jwt));
const statusOf = async (jwt: string): Promise<string> => (await ask(jwt)).status;

describe('the keys', () => {
  it('are fetched once for a herd', async () => {
    const jwt = await first.jwt('user-1');
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => statusOf(jwt)));
    expect(new Set(statuses)).toEqual(new Set(['signed-in']));
    expect(keys.reads).toBe(1);
  });

  it('are fetched by each of the first requests where none may wait for another’s: in workers at the edge', async () => {
    vi.stubGlobal('WebSocketPair', () => undefined);
    const worker = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { clock, keys } });
    const request = bearer(await first.jwt('user-1'));
    const ask = async () => Promise.all([1, 2, 3].map(async () => worker.authenticateRequest(request)));
    for (const result of [...(await ask()), ...(await ask())]) expect(result.status).toBe('signed-in');
    expect(keys.reads).toBe(3);
    clock.jump(5_000);
    const forged = Array.from({ length: 100 }, async (_, at) =>
      worker.authenticateRequest(bearer(await second.sign(second.claims('user-1'), { kid: `made-${at}` }))),
    );
    const results = await Promise.all(forged);
    expect(results.filter(({ status }) => status === 'unavailable').length).toBeGreaterThanOrEqual(99);
    expect(keys.reads).toBe(4);
  });

  it('are fetched once for a herd that fails, and not again for some seconds', async () => {
    keys.failure = new Error('offline');
    const jwt = await first.jwt('user-1');
    const results = await Promise.all(Array.from({ length: 100 }, async () => ask(jwt)));
    expect(results.every(({ status }) => status === 'unavailable')).toBe(true);
    await ask(jwt);
    expect(keys.reads).toBe(1);
    keys.failure = null;
    clock.jump(5_000);
    expect(await statusOf(jwt)).toBe('signed-in');
    expect(keys.reads).toBe(2);
  });

  it('are fetched again for a new key id, but not for each invented one', async () => {
    await ask(await first.jwt('user-1'));
    keys.keys = [first.published, second.published];
    clock.jump(30_000);
    expect(await statusOf(await second.jwt('user-1'))).toBe('signed-in');
    expect(keys.reads).toBe(2);
    for (let at = 0; at < 50; at += 1) {
      const result = await ask(await second.sign(second.claims('user-1'), { kid: `made-${at}` }));
      expect(result).toMatchObject({ status: 'unavailable', needs: 'keys', retryAfterMs: 5_000 });
    }
    expect(keys.reads).toBe(2);
    clock.jump(5_000);
    expect(await statusOf(await second.sign(second.claims('user-1'), { kid: 'made' }))).toBe('signed-out');
    expect(keys.reads).toBe(3);
    clock.jump(30_000);
    await Promise.all([1, 2, 3].map(async (at) => ask(await second.sign(second.claims('u'), { kid: `more-${at}` }))));
    expect(keys.reads).toBe(4);
  });

  it('are forgotten when they are withdrawn, ten minutes later', async () => {
    await ask(await first.jwt('user-1'));
    keys.keys = [second.published];
    clock.jump(10 * MINUTE - 1);
    expect(await statusOf(await first.jwt('user-1'))).toBe('signed-in');
    clock.jump(1);
    expect(await statusOf(await first.jwt('user-1'))).toBe('signed-out');
  });

  it('are used for an hour while no newer ones can be read, and no longer', async () => {
    await ask(await first.jwt('user-1'));
    keys.failure = new Error('offline');
    clock.jump(59 * MINUTE);
    expect(await statusOf(await first.jwt('user-1'))).toBe('signed-in');
    // An unknown key may be a new one.
    expect(await statusOf(await second.jwt('user-1'))).toBe('unavailable');
    clock.jump(MINUTE);
    expect(await statusOf(await first.jwt('user-1'))).toBe('unavailable');
  });

  it('are fetched again when the clock was set back', async () => {
    await ask(await first.jwt('user-1'));
    clock.jump(-60 * MINUTE);
    expect(await statusOf(await first.jwt('user-1'))).toBe('signed-in');
    expect(keys.reads).toBe(2);
  });

  it('of another kind, for another use, or damaged, are not used', async () => {
    const { kid: _kid, ...nameless } = first.published;
    for (const published of [
      [],
      [null as never],
      [nameless],
      [{ ...first.published, use: 'enc' }],
      [{ ...first.published, alg: 'RS512' }],
      [{ kty: 'oct', kid: 'key-1', k: 'c2VjcmV0' }],
      [{ ...first.published, n: 7 }],
    ]) {
      keys.keys = published;
      clock.jump(60 * MINUTE);
      expect(await statusOf(await first.jwt('user-1'))).toBe('unavailable');
    }
    keys.keys = [{ ...first.published, n: 'AQAB' }];
    clock.jump(60 * MINUTE);
    expect(await statusOf(await first.jwt('user-1'))).toBe('signed-out');
  });

  it('that cannot be read say when to try again', async () => {
    keys.failure = new SDKAPIUnreachableError('invalid-response', 7_000);
    const jwt = await first.jwt('user-1');
    expect(await ask(jwt)).toMatchObject({ status: 'unavailable', needs: 'keys', retryAfterMs: 7_000 });
    clock.jump(3_000);
    expect(await ask(jwt)).toMatchObject({ retryAfterMs: 4_000, error: { reason: 'invalid-response' } });
    expect(keys.reads).toBe(1);
  });
});

describe('the keys at an address', () => {
  const NOT_KEYS = [
    ['HTML', 200, { 'content-type': 'text/html' }, '<!doctype html><h1>Sign in to the network</h1>'],
    ['other JSON', 200, {}, '{"keys":{}}'],
    ['an error', 500, {}, '{"keys":[]}'],
    ['another place', 302, { location: 'http://127.0.0.1:1/keys' }, ''],
    ['more than any set', 200, {}, `{"keys":[],"more":"${'x'.repeat(1024 * 1024)}"}`],
  ] as const;

  it.each(NOT_KEYS)(
    'that answers with %s is unavailable, and signs nobody out',
    async (_name, status, headers, text) => {
      const server = await LoopbackServer.start();
      server.answer = { status, headers, text };
      const options = { projectId: PROJECT_ID, apiUrl: API_URL, jwksUrl: server.url, adapters: { clock } };
      const result = await createVerifier(options).authenticateRequest(bearer(await first.jwt('user-1')));
      expect(result).toMatchObject({ status: 'unavailable', needs: 'keys', retryAfterMs: 5_000 });
      await server.stop();
    },
  );

  it('that does not answer is unavailable after the time limit', async () => {
    const server = await LoopbackServer.start();
    server.answer = 'open';
    const options = { projectId: PROJECT_ID, apiUrl: API_URL, jwksUrl: server.url, timeoutMs: 2_000 };
    const asked = createVerifier({ ...options, adapters: { clock } }).authenticateRequest(
      bearer(await first.jwt('user-1')),
    );
    await expect.poll(() => server.received.length).toBe(1);
    await clock.advance(2_000);
    expect(await asked).toMatchObject({ status: 'unavailable', needs: 'keys' });
    await server.stop();
  });
});
