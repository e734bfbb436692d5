import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { projectFrom } from '../../src/project/project.ts';
import { basic, makeProvider, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';

const SEND = '/otps/email/login_or_create';
const NEVER_SIGNS_OUT =
  /^(?!unauthorized_credentials$|user_unauthenticated$|invalid_secret_authentication$|session_not_found$)/u;

describe('the HTTP side', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider();
  });
  afterAll(() => provider.close());

  const raw = async (path: string, init: RequestInit = {}) => {
    const reply = await provider.app.request(path, init);
    const text = await reply.text();
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      body: (text.startsWith('{') ? JSON.parse(text) : {}) as Fields,
    };
  };

  it.each([
    ['{}', [{ dataPath: ['email'], message: 'email must be a string' }]],
    ['{"email":7}', [{ dataPath: ['email'], message: 'email must be a string' }]],
    ['[]', [{ dataPath: [], message: 'body must be an object' }]],
    ['"x"', [{ dataPath: [], message: 'body must be an object' }]],
    [
      '{"email":"a@example.com","expiration_minutes":"5"}',
      [{ dataPath: ['expiration_minutes'], message: 'expiration_minutes must be a number' }],
    ],
    ['{"email":"a\\u0000@example.com"}', [{ dataPath: ['email'], message: 'email must be Unicode without NUL' }]],
    ['{"email":"\\ud800@example.com"}', [{ dataPath: ['email'], message: 'email must be Unicode without NUL' }]],
    ['{"__proto__":{"email":"a@example.com"}}', [{ dataPath: ['email'], message: 'email must be a string' }]],
  ])('says what is wrong with the body %s', async (text, issues) => {
    const { status, body } = await provider.call('POST', SEND, undefined, { raw: text });
    expect(status).toBe(400);
    expect(body).toEqual({ status_code: 400, request_id: body['request_id'], body: issues });
  });

  it('takes null for an optional field, and fields that it does not know', async () => {
    const fields = {
      email: 'null@example.com',
      expiration_minutes: null,
      locale: null,
      dfp_telemetry_id: 'x',
      more: [1],
    };
    expect((await provider.post(SEND, fields)).status).toBe(200);
  });

  it('refuses bodies that are not JSON, too large, or of another media type', async () => {
    const send = (text: string, headers: Record<string, string> = {}) =>
      provider.call('POST', SEND, undefined, { raw: text, headers });
    expect((await send('{"email":')).body).toMatchObject({ status_code: 400, error_type: 'invalid_json' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', '']) {
      expect((await send('{"email":"a@example.com"}', { 'content-type': type })).body).toMatchObject({
        status_code: 415,
        error_type: 'unsupported_media_type',
      });
    }
    expect(
      (await send('{"email":"a@example.com"}', { 'content-type': 'Application/JSON; charset=utf-8' })).status,
    ).toBe(200);
    const large = `{"email":"a@example.com","more":"${'x'.repeat(64 * 1024)}"}`;
    expect((await send(large)).body).toMatchObject({ status_code: 413, error_type: 'request_too_large' });
    const lying = await provider.app.request(`/sdk/v1${SEND}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': '2' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(lying.status).toBe(413);
    expect((await send('{"a":'.repeat(5000))).status).toBe(400);
    expect((await send('['.repeat(30_000))).status).toBe(400);
  });

  it('knows its routes and methods', async () => {
    for (const path of [
      '/',
      '/sdk/v1',
      '/sdk/v1/nothing',
      '/sdk/v1/users/me/x',
      '/..%2f..%2fetc/passwd',
      '/dev',
      '/dev/x',
    ]) {
      expect((await raw(path)).body, path).toMatchObject({ status_code: 404, error_type: 'route_not_found' });
    }
    const wrong = await raw('/sdk/v1/users/me', { method: 'DELETE' });
    expect(wrong.body).toMatchObject({ status_code: 405, error_type: 'method_not_allowed' });
    expect(wrong.headers.get('allow')).toBe('GET, PUT');
  });

  it('tells a client that the public token is missing, and signs nobody out by that', async () => {
    for (const authorization of [
      undefined,
      'Bearer x',
      'Basic !',
      basic('public-token-test-other', 'x'),
      basic('', ''),
    ]) {
      const { status, body } = await raw(
        '/sdk/v1/users/me',
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expect(status).toBe(401);
      expect(body['error_type']).toMatch(NEVER_SIGNS_OUT);
    }
  });

  it('puts the same guards on every reply', async () => {
    for (const path of [`/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`, '/sdk/v1/users/me', '/nothing', '/dev/inbox']) {
      const { headers } = await raw(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id')).toMatch(/^request-id-test-[0-9a-f-]{36}$/u);
    }
  });

  it('reveals nothing of its internals when something breaks', async () => {
    const broken = new Proxy(provider.services.db, {
      get() {
        throw new Error('secret table at /home/me');
      },
    });
    const app = createApp({ ...provider.services, db: broken });
    const reply = await app.request(`/sdk/v1/users/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN) },
      body: '{"email":"a@example.com"}',
    });
    expect(reply.status).toBe(500);
    const text = await reply.text();
    expect(JSON.parse(text)).toMatchObject({ error_type: 'internal_server_error' });
    expect(text).not.toMatch(/secret|\/home| {2}at /u);
  });

  it('asks a client to come back when the database is away', async () => {
    const away = new Proxy(provider.services.db, {
      get() {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
    });
    const app = createApp({ ...provider.services, db: away });
    const authorization = basic(PUBLIC_TOKEN, 'some-session');
    const reply = await app.request('/sdk/v1/users/me', { headers: { authorization } });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(await reply.json()).toMatchObject({ error_type: 'service_unavailable' });
  });

  it('explains each error type under its error_url', async () => {
    const { body } = await provider.post(SEND, { email: 'nobody' });
    const { status, text } = await raw(new URL(body['error_url']).pathname);
    expect(status).toBe(200);
    expect(text).toContain('invalid_email');
  });

  describe('pages of other origins', () => {
    const preflight = (origin: string) =>
      raw(`/sdk/v1${SEND}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-sdk-client,x-sdk-parent-host',
        },
      });

    it.each([
      'http://localhost:3000',
      'http://localhost',
      'https://localhost:8443',
      'http://127.0.0.1:5173',
      'http://[::1]:5173',
      'https://app.localhost',
    ])('%s gets an answer that names it and allows credentials', async (origin) => {
      const { status, headers } = await preflight(origin);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-allow-methods')).toContain('POST');
      expect(headers.get('access-control-allow-headers')).toContain('x-sdk-client');
      expect(headers.get('access-control-max-age')).toBe('7200');
      expect(headers.get('vary')).toContain('Origin');
      const wrong = await raw('/sdk/v1/users/me', { headers: { origin } });
      expect(wrong.status).toBe(401);
      expect(wrong.headers.get('access-control-allow-origin')).toBe(origin);
      expect(wrong.headers.get('access-control-expose-headers')).toContain('Retry-After');
    });

    it.each([
      'null',
      'https://evil.example',
      'http://localhost.evil.example',
      'http://evil.example:3000',
      'http://localhost:3000/',
      'http://LOCALHOST',
      'file://',
      'http://localhost:3000, http://evil.example',
      'http://user@localhost',
      'http://10.0.0.1',
      '*',
    ])('%s is refused, and nothing is done for it', async (origin) => {
      const [asked, sent, inbox] = [
        await preflight(origin),
        await provider.post(SEND, { email: 'cors@example.com' }, { headers: { origin } }),
        await raw('/dev/inbox.json', { headers: { origin } }),
      ];
      expect([asked.status, asked.text, sent.status, inbox.status]).toEqual([204, '', 403, 403]);
      // The reason is readable, without credentials.
      expect(sent.body).toMatchObject({ error_type: 'unregistered_origin' });
      for (const { headers } of [asked, sent]) {
        expect(headers.get('access-control-allow-origin')).toBe('*');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('access-control-expose-headers')).toBeNull();
        expect(headers.get('access-control-allow-private-network')).toBeNull();
      }
      expect(asked.headers.get('access-control-max-age')).toBe('0');
      expect(inbox.headers.get('access-control-allow-origin')).toBeNull();
      expect((await provider.inbox()).some(({ to }) => to === 'cors@example.com')).toBe(false);
    });

    it('the exact origins of the project file get answers, and no access to the inbox', async () => {
      const project = projectFrom({
        origins: ['https://example.com'],
        redirect_urls: ['https://example.com/login'],
        default_login_redirect_url: 'https://example.com/login',
        default_signup_redirect_url: 'https://example.com/login',
        allow_loopback: false,
      });
      const app = createApp({ ...provider.services, project });
      const status = async (origin: string, path = `/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`) =>
        (await app.request(path, { headers: { origin } })).status;
      expect(await status('https://example.com')).toBe(200);
      expect(await status('https://example.com:444')).toBe(403);
      expect(await status('http://example.com')).toBe(403);
      expect(await status('http://localhost:3000')).toBe(403);
      expect(await status('https://example.com', '/dev/inbox.json')).toBe(403);
    });
  });

  describe('host names', () => {
    it.each([
      'evil.example',
      'evil.example:4100',
      'localhost.evil.example',
      '10.0.0.1',
      'localhost@evil.example',
      'x/y',
      '',
    ])('a name that is not this machine is refused (%j)', async (host) => {
      for (const path of ['/dev/inbox.json', `/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`]) {
        const { status, text } = await raw(path, { headers: { host } });
        expect(status).toBe(421);
        expect(text).not.toContain('project_name');
      }
    });

    it.each(['localhost:4100', '127.0.0.1', '[::1]:4100', 'api.localhost', 'LOCALHOST:1'])(
      'a name of this machine is answered (%s)',
      async (host) => {
        expect((await raw('/dev/inbox.json', { headers: { host } })).status).toBe(200);
      },
    );

    it('a request line that names another host does not get past the check', async () => {
      const { status } = await raw('http://evil.example/dev/inbox.json', { headers: { host: 'localhost' } });
      expect(status).toBe(421);
    });

    it('a server that is not bound to loopback has no inbox and accepts any host name', async () => {
      const app = createApp({ ...provider.services, loopback: false });
      for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev/inbox/stream', '/dev/inbox.js']) {
        expect((await app.request(path)).status).toBe(404);
      }
      const { status } = await app.request(`/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`, {
        headers: { host: 'auth.example.com' },
      });
      expect(status).toBe(200);
    });
  });

  it('never logs the content of a request', async () => {
    const { session_token, session_jwt } = await provider.signIn('logged@example.com');
    const token = await provider.sendLink('logged@example.com');
    await provider.post('/magic_links/authenticate', {
      token,
      session_duration_minutes: 30,
      code_verifier: 'canary-verifier',
    });
    await raw('/canary-path?token=canary-query', { headers: { 'user-agent': 'canary-agent' } });
    const log = provider.logged.join('\n');
    expect(log).toContain('POST /sdk/v1/magic_links/authenticate 400');
    for (const secret of [session_token, session_jwt, token, 'canary', 'logged@example.com'])
      expect(log).not.toContain(secret);
  });
});
