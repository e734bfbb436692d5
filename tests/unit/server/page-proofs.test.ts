import { calculateJwkThumbprint } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proofFor, type ProofRequest } from '#composition/bound.ts';
import { createVerifier, refusalOf, type RequestSource, type VerifierOptions } from '#composition/server.ts';
import { FakeBindingKeys } from '#kit/ports/fake-binding-keys.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { FakeTransport } from '#kit/transport/fake-transport.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { API_URL, bearer, Issuer, PROJECT_ID } from './issuer.ts';
import { respelled } from '../../respelled.ts';

const APP = 'https://app.example.com';
const PAY = `${APP}/pay`;
const MINUTE = 60_000;

let clock: VirtualClock;
let issuer: Issuer;
let keys: FakeBindingKeys;
/** That of a session which is bound to the key of this browser. */
let jwt: string;

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => clock.now());
});

beforeEach(async () => {
  clock = new VirtualClock();
  keys = new FakeBindingKeys();
  const key = await keys.ensure('public');
  jwt = await boundJwt(await calculateJwkThumbprint({ ...key?.jwk }));
});

async function boundJwt(jkt: unknown): Promise<string> {
  const { 'https://stytch.com/session': session, ...claims } = issuer.claims('user-1');
  return issuer.sign({
    ...claims,
    cnf: { jkt },
    'https://stytch.com/session': { ...(session as object), device_bound: true },
  });
}

function verifierWith(options: Partial<VerifierOptions> = {}) {
  return createVerifier({
    projectId: PROJECT_ID,
    apiUrl: API_URL,
    boundSessions: 'check',
    serverUrls: [APP],
    ...options,
    adapters: { clock, keys: new FakeKeys([issuer.published]), transport: new FakeTransport(), ...options.adapters },
  });
}

const proof = async (changes: Partial<ProofRequest> = {}): Promise<string> =>
  (await proofFor({ publicToken: 'public', method: 'POST', url: PAY, token: jwt, keys, ...changes })) ?? '';

/** A request with the JWT of the session, and with a proof of it unless another one is given. */
async function sent(changes: { url?: string; method?: string; proof?: string; scheme?: string } = {}) {
  const { url = PAY, method = 'POST', scheme = 'DPoP' } = changes;
  const headers = { authorization: `${scheme} ${jwt}`, dpop: changes.proof ?? (await proof()) };
  return new Request(url, { method, headers });
}

async function resultOf(request: RequestSource, verifier = verifierWith()): Promise<string> {
  const found = await verifier.authenticateRequest(request);
  return found.status === 'signed-out' ? found.reason : found.status;
}

describe('boundSessions: check', () => {
  it('accepts the proof of the request by the key of its session, under either scheme', async () => {
    expect(await resultOf(await sent())).toBe('signed-in');
    expect(await resultOf(await sent({ scheme: 'Bearer' }))).toBe('signed-in');
  });

  it('refuses a copied JWT without a proof, in the header and in a cookie, and names the scheme', async () => {
    const cookie = { method: 'GET', headers: { cookie: `stytch_session_jwt=${jwt}` } };
    expect([await resultOf(bearer(jwt)), await resultOf(cookie)]).toEqual(['proof-required', 'proof-required']);
    const found = await verifierWith().authenticateRequest(bearer(jwt));
    const refusal = found.status === 'signed-out' ? refusalOf(found) : null;
    expect(refusal).toMatchObject({ status: 401, body: { reason: 'proof-required' } });
    expect(refusal?.headers['www-authenticate']).toMatch(
      /^DPoP realm="portico", error="invalid_token".*algs="ES256"$/u,
    );
  });

  it('refuses a proof in another spelling', async () => {
    for (const other of respelled(await proof()).filter((each) => each === each.trim())) {
      expect(await resultOf(await sent({ proof: other }))).toBe('invalid-proof');
    }
  });

  it.each([
    ['another method', { method: 'DELETE' }],
    ['another path', { url: `${APP}/pay/all` }],
    ['another host', { url: 'https://evil.example/pay' }],
    ['another scheme', { url: 'http://app.example.com/pay' }],
    ['another port', { url: `${APP}:8443/pay` }],
    ['another token', { token: 'x' }],
  ])('refuses a proof for %s', async (_what, changes) => {
    expect(await resultOf(await sent({ proof: await proof(changes) }))).toBe('invalid-proof');
  });

  it('does not believe the header Host, which whoever sends the request writes', async () => {
    const headers = { authorization: `Bearer ${jwt}`, host: 'evil.example', dpop: '' };
    headers.dpop = await proof({ url: 'https://evil.example/pay' });
    expect(await resultOf({ method: 'POST', url: '/pay', headers })).toBe('invalid-proof');
  });

  it.each(['/a/../pay', '//app.example.com/pay', '/pay/', '/%70ay', '\\pay', '/./pay'])(
    'refuses a proof for /pay on the path %s, which a router may read otherwise',
    async (url) => {
      const headers = { authorization: `Bearer ${jwt}`, dpop: await proof() };
      expect(await resultOf({ method: 'POST', url, headers })).toBe('invalid-proof');
    },
  );

  it('reads the path that a router of Express has shortened, and the one that a proxy has', async () => {
    const node = { method: 'POST', url: '/', originalUrl: '/pay?amount=1' };
    const request = async (url: string) => ({
      ...node,
      headers: { authorization: `DPoP ${jwt}`, dpop: await proof({ url }) },
    });
    expect(await resultOf(await request(PAY))).toBe('signed-in');
    const behindProxy = verifierWith({ serverUrls: ['https://other.example', `${APP}/api/`] });
    expect(await resultOf(await request(`${APP}/api/pay?amount=1`), behindProxy)).toBe('signed-in');
    expect(await resultOf(await request(PAY), behindProxy)).toBe('invalid-proof');
  });

  it('refuses a proof of another key, and texts that are no proofs', async () => {
    const others = new FakeBindingKeys();
    await others.ensure('public');
    const good = await proof();
    const none = `${Buffer.from('{"alg":"none","typ":"dpop+jwt"}').toString('base64url')}.${good.split('.')[1]}.`;
    for (const text of [await proof({ keys: others }), `${good}, ${good}`, none, 'a.b.c', 'x'.repeat(8000)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await resultOf(await sent({ proof: text })), text).toBe('invalid-proof');
    }
  });

  it('refuses a JWT whose confirmation no proof can meet', async () => {
    jwt = await boundJwt(undefined);
    expect(await resultOf(await sent())).toBe('invalid-proof');
  });

  it('accepts a proof once, of ten at once too, and one request that two guards check', async () => {
    const verifier = verifierWith();
    const dpop = await proof();
    const request = await sent({ proof: dpop });
    const guards = [await resultOf(request, verifier), await resultOf(request, verifier)];
    expect(guards).toEqual(['signed-in', 'signed-in']);
    const copies = await Promise.all(Array.from({ length: 10 }, async () => sent({ proof: dpop })));
    const replies = await Promise.all(copies.map(async (copy) => resultOf(copy, verifier)));
    expect(new Set(replies)).toEqual(new Set(['used-proof']));
    const fresh = await proof();
    const racing = await Promise.all(copies.map(async () => resultOf(await sent({ proof: fresh }), verifier)));
    expect(racing.filter((reply) => reply === 'signed-in')).toHaveLength(1);
  });

  it('remembers a proof for as long as its JWT is accepted, however wrong the clock of the browser is', async () => {
    const verifier = verifierWith({ clockToleranceSeconds: 60 });
    const dpop = await proof();
    expect(await resultOf(await sent({ proof: dpop }), verifier)).toBe('signed-in');
    await clock.advance(5 * MINUTE + 59_000);
    expect(await resultOf(await sent({ proof: dpop }), verifier)).toBe('used-proof');
    await clock.advance(2_000);
    expect(await resultOf(await sent({ proof: dpop }), verifier)).toBe('expired-jwt');
  });

  it('remembers them in the given place, and answers 503 while that cannot be reached', async () => {
    const ids = new Set<string>();
    const usedProofs = { add: async (id: string) => !ids.has(id) && ids.add(id).size > 0 };
    const two = [0, 1].map(() => verifierWith({ adapters: { usedProofs } }));
    const dpop = await proof();
    const replies = await Promise.all(two.map(async (verifier) => resultOf(await sent({ proof: dpop }), verifier)));
    expect([...replies].sort()).toEqual(['signed-in', 'used-proof']);
    expect([...ids].map((id) => /^[\w-]{43}$/u.test(id))).toEqual([true]);
    const gone = verifierWith({ adapters: { usedProofs: { add: () => Promise.reject(new Error('gone')) } } });
    expect(await gone.authenticateRequest(await sent())).toMatchObject({ status: 'unavailable', needs: 'proofs' });
  });

  it('lets sessions that are bound to no key pass as before, and require refuses them', async () => {
    const plain = await issuer.jwt('user-2');
    expect(await resultOf(bearer(plain))).toBe('signed-in');
    const strict = verifierWith({ boundSessions: 'require' });
    expect(await strict.authenticateRequest(bearer(plain))).toMatchObject({
      status: 'forbidden',
      lacks: { bound: true },
    });
    expect(await resultOf(await sent(), strict)).toBe('signed-in');
  });

  it('is off unless it is set: then the scheme DPoP is none', async () => {
    const off = verifierWith({ boundSessions: 'ignore', serverUrls: [] });
    expect(await resultOf(bearer(jwt), off)).toBe('signed-in');
    expect(await resultOf(await sent(), off)).toBe('no-credentials');
  });
});

describe('the options', () => {
  it.each([
    [{ boundSessions: 'yes' as never }, 'boundSessions must be ignore, check or require'],
    [{ serverUrls: [] }, 'boundSessions check or require, and serverUrls'],
    [{ boundSessions: 'ignore' as const }, 'boundSessions check or require, and serverUrls'],
    [{ serverUrls: ['ftp://app.example.com'] }, 'serverUrls[0] must be an https address'],
    [{ serverUrls: [`${APP}?x`] }, 'serverUrls[0] must be an https address'],
  ])('%j is refused by its name', (options, message) => {
    expect(() => verifierWith(options)).toThrow(message);
  });
});

describe('proofFor', () => {
  it('resolves with null in a browser without the key', async () => {
    const without = { publicToken: 'public', method: 'GET', url: PAY, token: jwt, keys: new FakeBindingKeys() };
    expect(await proofFor(without)).toBeNull();
  });

  it.each([
    [{ token: 1 }, 'token must be'],
    [{ url: '/relative' }, 'url and method must be'],
    [{ method: 'TRACE' }, 'url and method must be'],
    [{ methods: 'GET' }, 'methods is no option'],
  ])('refuses %j by its name', async (changes, message) => {
    await expect(proof(changes as never)).rejects.toThrow(message);
  });
});
