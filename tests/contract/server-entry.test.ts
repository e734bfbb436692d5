import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import type { Fields } from '../../provider/tests/kit/harness.ts';
import { rotateSigningKey } from '#provider/base/security/signing-keys.ts';
import { createVerifier, type Verifier } from '#composition/server.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { serveProvider, type ServedProvider } from '../unit/docs/served-provider.ts';
import { bearer, withCookies } from '../unit/server/issuer.ts';
import { soakIt } from '../soak-tests.ts';

let served: ServedProvider;
/** How much later it is for the verifier than for the provider. */
let later = 0;
let requests: string[] = [];
let verifier: Verifier;

const system = new SystemClock(globalThis);
const clock = { now: () => system.now() + later, after: system.after.bind(system) };

function makeVerifier(options: Partial<Parameters<typeof createVerifier>[0]> = {}): Verifier {
  const { project_id: projectId, public_token: publicToken } = served.provider.services.project;
  return createVerifier({
    projectId,
    ...(options.secret === undefined ? { publicToken } : {}),
    apiUrl: served.url,
    adapters: { clock },
    fetch: async (url, init) => {
      requests.push(new URL(url).pathname);
      return fetch(url, init);
    },
    ...options,
  });
}

beforeAll(async () => {
  served = await serveProvider();
});

afterAll(async () => served?.close());

beforeEach(() => {
  [later, requests] = [0, []];
  verifier = makeVerifier();
});

const KEYS = /^\/sdk\/v1\/sessions\/jwks\//u;
const ASKED = '/sdk/v1/sessions/authenticate';

interface Tokens {
  readonly user_id: string;
  readonly token: string;
  readonly jwt: string;
}

async function signIn(email: string): Promise<Tokens> {
  const { user_id, session_token, session_jwt }: Fields = await served.provider.signIn(email);
  return { user_id: String(user_id), token: String(session_token), jwt: String(session_jwt) };
}

const cookiesOf = ({ token, jwt }: Tokens): Request =>
  withCookies(`theme=dark; stytch_session=${token}; stytch_session_jwt=${jwt}`);

describe('portico/server and the provider', () => {
  it('know a passcode’s user and roles by cookies and by bearer, with one request for a herd', async () => {
    const session = await signIn('editor@portico.example');
    const all = [cookiesOf(session), bearer(session.jwt)].flatMap((request) =>
      Array.from({ length: 50 }, async () => verifier.authenticateRequest(request, { roles: ['editor'] })),
    );
    for (const result of await Promise.all(all)) {
      expect(result).toMatchObject({ status: 'signed-in', user_id: session.user_id, source: 'jwt', claims: {} });
    }
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(KEYS);
  });

  it('are the same for a session, by its JWT or by the API', async () => {
    const request = cookiesOf(await signIn('editor@portico.example'));
    const read = await verifier.authenticateRequest(request);
    const asked = await verifier.authenticateRequest(request, { fresh: true });
    if (read.status !== 'signed-in' || asked.status !== 'signed-in') throw new Error('nobody is signed in');
    const { source, session, user, ...who } = read;
    expect([source, asked.source]).toEqual(['jwt', 'api']);
    expect([user, asked.user?.emails[0]?.email]).toEqual([null, 'editor@portico.example']);
    expect(asked).toMatchObject(who);
    const { last_accessed_at: _then, custom_claims: _claims, ...unchanged } = session;
    expect(asked.session).toMatchObject(unchanged);
    expect(requests.at(-1)).toBe(ASKED);
  });

  it('know an opaque token, and who has none', async () => {
    const { token, user_id } = await signIn('ada@example.com');
    expect(await verifier.authenticateRequest(bearer(token))).toMatchObject({ user_id, source: 'api' });
    const unknown = await verifier.authenticateRequest(bearer('A'.repeat(43)));
    expect(unknown).toEqual({ status: 'signed-out', reason: 'session-ended' });
    expect(requests).toEqual([ASKED, ASKED]);
    expect(await verifier.authenticateRequest(withCookies(''))).toEqual({
      status: 'signed-out',
      reason: 'no-credentials',
    });
  });

  it('notice a revoked session at once when asked for a fresh answer', async () => {
    const session = await signIn('ada@example.com');
    const request = cookiesOf(session);
    expect(await verifier.authenticateRequest(request, { fresh: true })).toMatchObject({ status: 'signed-in' });
    await served.provider.post('/sessions/revoke', {}, { session: session.token });
    const over = { status: 'signed-out', reason: 'session-ended' };
    expect(await verifier.authenticateRequest(request, { fresh: true })).toEqual(over);
    expect(await verifier.authenticateRequest(bearer(session.jwt), { fresh: true })).toEqual(over);
    expect(await verifier.authenticateRequest(request)).toMatchObject({ status: 'signed-in', source: 'jwt' });
    later = 310_000;
    expect(await verifier.authenticateRequest(request)).toEqual(over);
  });

  it('go on with the session token when the JWT has expired', async () => {
    const session = await signIn('ada@example.com');
    later = 310_000;
    expect(await verifier.authenticateRequest(cookiesOf(session))).toMatchObject({
      status: 'signed-in',
      source: 'api',
    });
  });

  it('sign nobody out right after a rotation of the keys, or by a clock that is behind', async () => {
    const before = await signIn('ada@example.com');
    expect(await verifier.authenticateRequest(bearer(before.jwt))).toMatchObject({ status: 'signed-in' });
    await rotateSigningKey(served.provider.services, 'sessions');
    const after = await signIn('ada@example.com');
    expect(await verifier.authenticateRequest(bearer(after.jwt))).toMatchObject({ status: 'signed-in', source: 'api' });
    expect(await verifier.authenticateRequest(bearer(after.jwt))).toMatchObject({ status: 'signed-in', source: 'jwt' });
    expect(requests.filter((path) => KEYS.test(path))).toHaveLength(2);
    // Further than the tolerance, also for a JWT that a busy machine made some seconds ago.
    later = -60_000;
    expect(await verifier.authenticateRequest(bearer(after.jwt))).toMatchObject({ status: 'signed-in', source: 'api' });
    expect(requests.filter((path) => path === ASKED)).toHaveLength(2);
  });

  soakIt('follow a rotation of the keys', async () => {
    const before = await signIn('ada@example.com');
    expect(await verifier.authenticateRequest(bearer(before.jwt))).toMatchObject({ status: 'signed-in' });
    await rotateSigningKey(served.provider.services, 'sessions');
    const after = await signIn('ada@example.com');
    const kid = (jwt: string): unknown =>
      (JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()) as Fields)['kid'];
    expect(kid(after.jwt)).not.toBe(kid(before.jwt));
    later = 31_000;
    const answers = Array.from({ length: 20 }, async () => verifier.authenticateRequest(bearer(after.jwt)));
    for (const result of await Promise.all(answers)) expect(result).toMatchObject({ status: 'signed-in' });
    expect(requests.filter((path) => KEYS.test(path))).toHaveLength(2);
  });

  it('judge permissions by the project’s policy', async () => {
    const ask = async (email: string, action: string) =>
      verifier.authenticateRequest(bearer((await signIn(email)).jwt), {
        permission: { resource_id: 'documents', action },
      });
    expect(await ask('admin@portico.example', 'delete')).toMatchObject({ status: 'signed-in' });
    expect(await ask('editor@portico.example', 'write')).toMatchObject({ status: 'signed-in' });
    expect(await ask('editor@portico.example', 'delete')).toMatchObject({
      status: 'forbidden',
      lacks: { permission: { resource_id: 'documents', action: 'delete' } },
    });
    expect(await ask('viewer@portico.example', 'read')).toMatchObject({ status: 'signed-in' });
    expect(requests.filter((path) => path.includes('/bootstrap/'))).toHaveLength(1);
  });

  it('refuse the JWT of another project, and say that a wrong token or address is no sign-out', async () => {
    const { jwt, token } = await signIn('ada@example.com');
    const { project_id } = served.provider.services.project;
    const other = makeVerifier({
      projectId: 'project-test-other',
      jwksUrl: `${served.url}/sdk/v1/sessions/jwks/${project_id}`,
    });
    expect(await other.authenticateRequest(bearer(jwt))).toEqual({ status: 'signed-out', reason: 'untrusted-jwt' });
    const noKeys = makeVerifier({ projectId: 'project-test-other' });
    expect(await noKeys.authenticateRequest(bearer(jwt))).toMatchObject({ status: 'unavailable', needs: 'keys' });
    const stranger = makeVerifier({ publicToken: 'public-token-test-other' });
    expect(await stranger.authenticateRequest(bearer(token))).toMatchObject({
      status: 'unavailable',
      needs: 'session',
    });
    const nowhere = makeVerifier({ apiUrl: 'http://127.0.0.1:9' });
    expect(await nowhere.authenticateRequest(bearer(jwt))).toMatchObject({ status: 'unavailable', needs: 'keys' });
  });
});

const OVER = { status: 'signed-out', reason: 'session-ended' };

/** As an app's server makes it that knows nothing of the browser's client. */
const bySecret = (secret = DEV_SECRET): Verifier => makeVerifier({ secret });

describe('a verifier with the project’s secret', () => {
  it('knows a session token, its user and roles, by the backend API', async () => {
    const verifier = bySecret();
    const { token, user_id } = await signIn('editor@portico.example');
    const who = await verifier.authenticateRequest(bearer(token), { roles: ['editor'] });
    expect(who).toMatchObject({ status: 'signed-in', user_id, source: 'api', user: { user_id } });
    expect(requests).toEqual(['/v1/sessions/authenticate']);
  });

  it('checks a JWT without a request but for the keys, and asks about one that has expired', async () => {
    const verifier = bySecret();
    const { jwt, token, user_id } = await signIn('ada@example.com');
    expect(await verifier.authenticateRequest(bearer(jwt))).toMatchObject({ user_id, source: 'jwt' });
    expect(requests).toEqual([expect.stringMatching(/\/sessions\/jwks\//u)]);
    later = 310_000;
    const cookies = withCookies(`stytch_session=${token}; stytch_session_jwt=${jwt}`);
    expect(await verifier.authenticateRequest(cookies)).toMatchObject({ user_id, source: 'api' });
    expect(requests.slice(1)).toEqual(['/v1/sessions/authenticate']);
  });

  it('notices at once that a session has ended, when asked for a fresh answer', async () => {
    const verifier = bySecret();
    const { jwt, token, user_id } = await signIn('ada@example.com');
    expect(await verifier.authenticateRequest(bearer(jwt), { fresh: true })).toMatchObject({ user_id, source: 'api' });
    await served.provider.post('/sessions/revoke', {}, { session: token });
    expect(await verifier.authenticateRequest(bearer(token))).toEqual(OVER);
    expect(await verifier.authenticateRequest(bearer(jwt), { fresh: true })).toEqual(OVER);
    expect(await verifier.authenticateRequest(bearer('A'.repeat(43)))).toEqual(OVER);
  });

  it('judges permissions by the policy of the backend API, which it reads once', async () => {
    const verifier = bySecret();
    const permission = { resource_id: 'documents', action: 'write' };
    const [editor, viewer] = [await signIn('editor@portico.example'), await signIn('viewer@portico.example')];
    expect(await verifier.authenticateRequest(bearer(editor.jwt), { permission })).toMatchObject({
      status: 'signed-in',
    });
    expect(await verifier.authenticateRequest(bearer(viewer.jwt), { permission })).toMatchObject({
      status: 'forbidden',
      lacks: { permission },
    });
    expect(requests.filter((path) => path.startsWith('/v1/rbac/policy'))).toHaveLength(1);
  });

  it('keeps the session when its secret is wrong', async () => {
    const { token } = await signIn('ada@example.com');
    const stranger = bySecret('secret-test-00000000-0000-4000-8000-000000000000');
    expect(await stranger.authenticateRequest(bearer(token))).toMatchObject({
      status: 'unavailable',
      needs: 'session',
    });
  });
});
