import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { ANY_DATABASE, basic, type Fields, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const SEND = '/otps/email/login_or_create';
const NEVER_SIGNS_OUT =
  /^(?!unauthorized_credentials$|user_unauthenticated$|invalid_secret_authentication$|session_not_found$)/u;

describe('the HTTP side', () => {
  const provider = suiteProvider(ANY_DATABASE);

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

  it('reports a missing public token, without signing the user out', async () => {
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
