import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVerifier, type Verifier } from '#composition/server.ts';
import { createNextAuth } from '#composition/server/next.ts';
import { FakeKeys } from '#kit/ports/fake-keys.ts';
import { API_URL, Issuer, PROJECT_ID } from './issuer.ts';

/** What Next gives a server component of its request: one object while the request lasts. */
const sent = vi.hoisted(() => ({ headers: new Headers(), connected: () => Promise.resolve() }));
vi.mock('next/headers.js', () => ({ headers: async () => Promise.resolve(sent.headers) }));
vi.mock('next/server.js', () => ({ connection: async () => sent.connected() }));

let issuer: Issuer;
let verifier: Verifier;
let asked = 0;
/** The app's guards, with a verifier that counts. */
const app = (options = {}) => {
  const counting: Verifier = {
    authenticateRequest: async (...args) => {
      asked += 1;
      return verifier.authenticateRequest(...args);
    },
  };
  return createNextAuth(counting, options);
};
const from = (headers: Record<string, string>): void => void (sent.headers = new Headers(headers));
const signIn = async (...roles: string[]): Promise<Record<string, string>> => ({
  cookie: `stytch_session_jwt=${await issuer.jwt('user-1', roles)}`,
});
/** What Next reads of a thrown redirect or not-found. */
const thrownBy = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: { digest?: string; message: string }) => error.digest ?? error.message,
  );

beforeAll(async () => {
  issuer = await Issuer.make('key-1', () => Date.now());
});

beforeEach(() => {
  asked = 0;
  from({});
  const keys = new FakeKeys([issuer.published]);
  verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, adapters: { keys } });
});

describe('auth()', () => {
  it('reports who sent the request, and asks once per request', async () => {
    const { auth } = app();
    expect(await auth()).toEqual({ status: 'signed-out', reason: 'no-credentials' });
    from(await signIn('editor'));
    const all = await Promise.all([auth(), auth(), auth({ roles: ['editor'] }), auth({ roles: ['editor'] })]);
    for (const who of all) expect(who).toMatchObject({ status: 'signed-in', user_id: 'user-1' });
    expect(asked).toBe(3);
    expect(await auth({ roles: ['admin'] })).toMatchObject({ status: 'forbidden', lacks: { roles: ['admin'] } });
  });

  it('is not made ahead of a request, because it depends on the time', async () => {
    const { auth } = app();
    from(await signIn());
    let resolve = (): void => undefined;
    const promise = new Promise<void>((done) => (resolve = done));
    const connected = vi.spyOn(sent, 'connected').mockReturnValueOnce(promise);
    const who = auth();
    await vi.waitFor(() => expect(connected).toHaveBeenCalledOnce());
    expect(asked).toBe(0);
    resolve();
    expect((await who).status).toBe('signed-in');
    connected.mockRestore();
  });

  it('gives a request nothing of another', async () => {
    const { auth } = app();
    from(await signIn());
    expect((await auth()).status).toBe('signed-in');
    from({});
    expect((await auth()).status).toBe('signed-out');
  });
});

describe('the guard of a page', () => {
  it('lets in, redirects to the sign-in page, or hides the page', async () => {
    const { requireAuth } = app({ signInPath: '/welcome' });
    expect(await thrownBy(requireAuth())).toBe('NEXT_REDIRECT;replace;/welcome;307;');
    expect(await thrownBy(requireAuth({}, '/account?a=b'))).toBe(
      'NEXT_REDIRECT;replace;/welcome?return_to=%2Faccount%3Fa%3Db;307;',
    );
    expect(await thrownBy(requireAuth({}, '//evil.example'))).toBe('NEXT_REDIRECT;replace;/welcome?return_to=%2F;307;');
    from(await signIn('editor'));
    expect((await requireAuth({ roles: ['editor'] })).user_id).toBe('user-1');
    expect(await thrownBy(requireAuth({ roles: ['admin'] }))).toBe('NEXT_HTTP_ERROR_FALLBACK;404');
  });

  it('does not sign out while the session is unknown', async () => {
    from(await signIn());
    const fetch = async () => Promise.reject(new TypeError('offline'));
    verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, fetch });
    expect(await thrownBy(app().requireAuth())).toBe('Unable to contact our servers.');
  });
});

describe('a server function, whose method Next does not tell', () => {
  const cases = async (more: Record<string, string>) => {
    from({ ...(await signIn('editor')), host: 'app.example.com', 'content-length': '9', ...more });
    const { auth, requireAuth } = app();
    return [(await auth()).status, await thrownBy(requireAuth())];
  };

  it('changes data only for pages of its own origin', async () => {
    const origin = 'https://app.example.com';
    expect(await cases({ origin, 'sec-fetch-site': 'same-origin' })).toEqual(['signed-in', 'nothing']);
    expect(await cases({ origin })).toEqual(['signed-in', 'nothing']);
    for (const more of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      {},
    ]) {
      const [status, thrown] = await cases(more as Record<string, string>);
      expect([status, thrown]).toEqual([
        'cross-origin',
        expect.stringContaining('must come from a page of this server'),
      ]);
    }
  });
});

describe('the guard of a route handler', () => {
  const route = (guard = app()) =>
    guard.withAuth({ roles: ['editor'] }, (_request: Request, who, context: { params: string }) =>
      Response.json([who.user_id, context.params]),
    );
  const request = (headers: Record<string, string>) => new Request('https://app.example.com/api', { headers });

  it('passes on who sent the request, and keeps the answer private', async () => {
    const reply = await route()(request(await signIn('editor')), { params: 'p' });
    expect(await reply.json()).toEqual(['user-1', 'p']);
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('names what is missing', async () => {
    const statuses: number[] = [];
    for (const headers of [{}, await signIn('viewer')]) {
      statuses.push((await route()(request(headers), { params: 'p' })).status);
    }
    expect(statuses).toEqual([401, 403]);
  });
});

describe('the proxy', () => {
  /** As Next gives it: the path without the app's own, which the address has. */
  const visit = async (path: string, headers: Record<string, string> = {}, method = 'GET', basePath = '') => {
    const url = new URL(`https://app.example.com${basePath}${path}`);
    const { search } = url;
    const nextUrl = { pathname: path.split('?')[0] ?? '', search, basePath };
    const reply = await app().proxy()(Object.assign(new Request(url, { headers, method }), { nextUrl }));
    return reply === undefined ? 'goes on' : `${reply.status} ${reply.headers.get('location') ?? ''}`.trim();
  };

  it('lets pass who is signed in, and sends others to the sign-in page with the way back', async () => {
    expect(await visit('/account', await signIn())).toBe('goes on');
    expect(await visit('/account?a=b')).toBe('307 https://app.example.com/login?return_to=%2Faccount%3Fa%3Db');
    expect(await visit('/account', {}, 'GET', '/shop')).toBe(
      '307 https://app.example.com/shop/login?return_to=%2Faccount',
    );
  });

  it('redirects fetches of the router to an address of their own, so that Back opens the sign-in page without Next’s parameter', async () => {
    const fetched = await visit('/account?a=b', { 'sec-fetch-dest': 'empty' });
    expect(fetched).toBe('307 https://app.example.com/login?return_to=%2Faccount%3Fa%3Db&_rsc=');
    const opened = await visit('/account?a=b', { 'sec-fetch-dest': 'document' });
    expect(opened).toBe('307 https://app.example.com/login?return_to=%2Faccount%3Fa%3Db');
  });

  it('leads to no other site', async () => {
    for (const signInPath of ['//evil.example', 'https://evil.example', 'login', '']) {
      expect(() => app({ signInPath })).toThrow('signInPath must be a path of this app');
    }
    expect(await visit('//evil.example/x')).toBe('307 https://app.example.com/login?return_to=%2F');
  });

  it('refuses what no redirect helps', async () => {
    expect(await visit('/account', {}, 'POST')).toBe('401');
    expect(await visit('/account', await signIn(), 'POST')).toBe('403');
    verifier = createVerifier({
      projectId: PROJECT_ID,
      apiUrl: API_URL,
      fetch: async () => Promise.reject(new Error('x')),
    });
    expect(await visit('/account', await signIn())).toBe('503');
  });
});
