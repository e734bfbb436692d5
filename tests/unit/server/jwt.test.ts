import { createHmac } from 'node:crypto';
import { generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVerifier, type Verifier } from '#composition/server.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { FakeTransport } from '#kit/transport/fake-transport.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { API_URL, bearer, Issuer, PROJECT_ID } from './issuer.ts';
import { respelled } from '../../respelled.ts';
import { soakIt } from '../../soak-tests.ts';

let clock: VirtualClock;
let issuer: Issuer;
let keys: FakeKeys;
let transport: FakeTransport;
let verifier: Verifier;

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => clock.now());
});

beforeEach(() => {
  clock = new VirtualClock();
  keys = new FakeKeys([issuer.published]);
  transport = new FakeTransport();
  verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { clock, keys, transport } });
});

const statusOf = async (jwt: string): Promise<string> => {
  const result = await verifier.authenticateRequest(bearer(jwt));
  return result.status === 'signed-out' ? result.reason : result.status;
};
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (jwt: string, at: number): string => jwt.split('.')[at] ?? '';

describe('a session JWT', () => {
  it('reports who sent the request, without a request to the API', async () => {
    const jwt = await issuer.sign({ ...issuer.claims('user-1', ['editor']), plan: 'gold' });
    const result = await verifier.authenticateRequest(bearer(jwt), { roles: ['editor'] });
    expect(result).toMatchObject({
      status: 'signed-in',
      user_id: 'user-1',
      roles: ['editor'],
      claims: { plan: 'gold' },
      source: 'jwt',
      session: { session_id: 'session-of-user-1', user_id: 'user-1' },
    });
    expect([keys.reads, transport.requests.length]).toEqual([1, 0]);
  });

  it('that leaves out what the API must tell is no answer without the API', async () => {
    const claims = issuer.claims('user-1', []);
    const name = 'https://stytch.com/session';
    const partial = { ...claims, [name]: { ...(claims[name] as object), partial: true } };
    expect(await statusOf(await issuer.sign(partial))).toBe('cannot-ask');
    expect(transport.requests).toEqual([]);
  });

  it('is refused in another spelling', async () => {
    const jwt = await issuer.sign(issuer.claims('user-1'));
    expect(await statusOf(jwt)).toBe('signed-in');
    // Blanks around a header are no part of it.
    const others = respelled(jwt).filter((other) => other === other.trim());
    for (const other of others) expect(await statusOf(other)).not.toBe('signed-in');
  });

  it('may name the address of the API as its issuer, as the wire allows', async () => {
    for (const iss of [API_URL, `${API_URL}/`]) {
      expect(await statusOf(await issuer.sign({ ...issuer.claims('user-1'), iss }))).toBe('signed-in');
    }
    expect(await statusOf(await issuer.sign({ ...issuer.claims('user-1'), iss: `${API_URL}.evil` }))).toBe(
      'untrusted-jwt',
    );
  });

  soakIt('is refused when it was changed, or is signed by another key under the same name', async () => {
    const jwt = await issuer.jwt('user-1');
    const other = encode(issuer.claims('user-2'));
    expect(await statusOf(`${part(jwt, 0)}.${other}.${part(jwt, 2)}`)).toBe('untrusted-jwt');
    expect(await statusOf(await (await Issuer.make('key-1', () => clock.now())).jwt('user-1'))).toBe('untrusted-jwt');
    expect(await statusOf(jwt)).toBe('signed-in');
  });

  it('is refused without a signature, and with one that the public key made as a shared secret', async () => {
    const claims = encode(issuer.claims('user-1'));
    for (const alg of ['none', 'NONE', 'None', '']) {
      expect(await statusOf(`${encode({ alg, typ: 'JWT', kid: 'key-1' })}.${claims}.`)).toMatch(/untrusted|malformed/u);
      expect(await statusOf(`${encode({ alg, typ: 'JWT', kid: 'key-1' })}.${claims}.AA`)).toBe('untrusted-jwt');
    }
    const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid: 'key-1' })}.${claims}`;
    for (const secret of [JSON.stringify(issuer.published), String(issuer.published['n'])]) {
      const mac = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await statusOf(`${signed}.${mac}`)).toBe('untrusted-jwt');
    }
    // A wrong algorithm is refused before the keys are fetched.
    expect(keys.reads).toBe(0);
  });

  soakIt('is refused with another algorithm of the same family', async () => {
    const { privateKey } = await generateKeyPair('PS256');
    const jwt = new SignJWT(issuer.claims('user-1')).setProtectedHeader({ alg: 'PS256', typ: 'JWT', kid: 'key-1' });
    expect(await statusOf(await jwt.sign(privateKey))).toBe('untrusted-jwt');
  });

  const SESSION = 'https://stytch.com/session';
  const wrong: readonly (readonly [string, (claims: JWTPayload) => JWTPayload])[] = [
    ['another audience', (claims) => ({ ...claims, aud: ['project-test-other'] })],
    ['no audience', ({ aud: _aud, ...claims }) => claims],
    ['another issuer', (claims) => ({ ...claims, iss: 'stytch.com/project-test-other' })],
    ['no issuer', ({ iss: _iss, ...claims }) => claims],
    ['no subject', ({ sub: _sub, ...claims }) => claims],
    ['an empty subject', (claims) => ({ ...claims, sub: '' })],
    ['no expiry', ({ exp: _exp, ...claims }) => claims],
    ['an expiry that is text', (claims) => ({ ...claims, exp: '9999999999' as unknown as number })],
    ['no session', ({ [SESSION]: _session, ...claims }) => claims],
    ['a session that is none', (claims) => ({ ...claims, [SESSION]: 'session' })],
    ['a session without an id', (claims) => ({ ...claims, [SESSION]: { expires_at: '2100-01-01T00:00:00Z' } })],
  ];
  it.each(wrong)('is refused with %s', async (_name, change) => {
    expect(await statusOf(await issuer.sign(change(issuer.claims('user-1'))))).toBe('untrusted-jwt');
  });

  it.each([
    ['another type', { typ: 'at+jwt' }],
    ['no type', { typ: undefined }],
    ['an unknown key', { kid: 'other' }],
    ['no key', { kid: undefined }],
    ['a key of its own', { kid: undefined, jku: 'https://evil.example/keys' }],
    ['a key in itself', { kid: 'other', jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } }],
    ['a path for a key', { kid: '../../keys/other.json' }],
    ['the name of a property for a key', { kid: '__proto__' }],
  ])('is refused with %s in its header', async (_name, header) => {
    expect(await statusOf(await issuer.sign(issuer.claims('user-1'), header))).toBe('untrusted-jwt');
    expect(transport.requests).toEqual([]);
  });

  it('is not accepted before its time, and is refused after it, but for a few seconds', async () => {
    const claims = issuer.claims('user-1');
    const seconds = Math.floor(clock.now() / 1000);
    expect(await statusOf(await issuer.sign({ ...claims, nbf: seconds + 4 }))).toBe('signed-in');
    // The project signed it: this clock is behind.
    const early = await verifier.authenticateRequest(bearer(await issuer.sign({ ...claims, nbf: seconds + 6 })));
    expect(early).toMatchObject({ status: 'unavailable', needs: 'session' });
    if (early.status !== 'unavailable') throw new Error('unreachable');
    expect(early.retryAfterMs).toBeGreaterThan(5_000);
    expect(early.retryAfterMs).toBeLessThanOrEqual(6_000);
    const jwt = await issuer.sign(claims);
    clock.jump(304_000);
    expect(await statusOf(jwt)).toBe('signed-in');
    clock.jump(2_000);
    expect(await statusOf(jwt)).toBe('expired-jwt');
  });

  it.each([
    ['no JWT at all', 'a.b.c'],
    ['empty parts', '..'],
    ['an array for a header', `${encode([])}.${encode({})}.AA`],
    ['text that is no token', 'a b.c.d'],
    ['more than any JWT has', `${'a'.repeat(20_000)}.b.c`],
    ['nothing', ''],
  ])('of %s is refused, and nothing is thrown', async (_name, jwt) => {
    expect(await statusOf(jwt)).toMatch(/^(?:untrusted-jwt|malformed)$/u);
    expect(keys.reads).toBe(0);
  });

  it('reports what its bearer lacks', async () => {
    const jwt = await issuer.jwt('user-1', ['reader', 'editor']);
    const result = await verifier.authenticateRequest(bearer(jwt), { roles: ['editor', 'admin', 'owner'] });
    expect(result).toMatchObject({
      status: 'forbidden',
      lacks: { roles: ['admin', 'owner'] },
      who: { user_id: 'user-1', roles: ['reader', 'editor'] },
    });
  });
});
