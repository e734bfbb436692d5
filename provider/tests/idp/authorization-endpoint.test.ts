import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, CALLBACK, challenge, ISSUER, makeApps, PAGE, type Apps } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** A valid request, as an app spells it. */
const QUERY = {
  client_id: 'planner',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid email',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'a b&c',
  nonce: 'n',
};

describe.each(EITHER_DATABASE)('the authorization endpoint on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  const queryOf = (address: URL | null): Fields => Object.fromEntries(address?.searchParams ?? []);
  const errorOf = async (fields: Fields): Promise<Fields> => {
    const { location } = await apps.visit('/authorize', { ...QUERY, ...fields });
    expect(location?.href.startsWith(`${CALLBACK}?`)).toBe(true);
    const { state, iss, error } = queryOf(location);
    expect([state, iss]).toEqual([QUERY.state, ISSUER]);
    return error;
  };

  it.each(['GET', 'POST'])('leads a %s on to the page by 303, with the request and its signature', async (method) => {
    const { status, location, headers } = await apps.visit('/authorize', QUERY, method);
    expect([status, headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      303,
      'no-referrer',
      'no-store',
    ]);
    expect(location?.href.startsWith(`${PAGE}?`)).toBe(true);
    const { code_challenge_method: _, ...shown } = QUERY;
    expect(queryOf(location)).toEqual({ ...shown, authorization_request: expect.stringMatching(/^eyJ/u) });
  });

  it('leads to an address that is hardly longer than the request: nothing is both in the query and in what is signed', async () => {
    const long = { ...QUERY, state: 's'.repeat(3_000), nonce: 'n'.repeat(500) };
    const { location } = await apps.visit('/authorize', long);
    const { authorization_request: signed, ...plain } = queryOf(location);
    const content = JSON.stringify(decodeJwt(signed));
    for (const value of Object.values(plain)) expect(content).not.toContain(`"${value}"`);
    expect(String(signed).length).toBeLessThan(500);
    expect(String(location?.search).length).toBeLessThan(new URLSearchParams(long).toString().length + 600);
  });

  it.each(['login_hint', 'ui_locales', 'claims_locales', 'acr_values', 'display'])('hands on %s', async (name) => {
    const { location } = await apps.visit('/authorize', { ...QUERY, [name]: 'x y' });
    expect(queryOf(location)[name]).toBe('x y');
  });

  it('has no other method, and no page of another origin reads its answers', async () => {
    const { status, headers } = await apps.get('/oauth2/authorize', { method: 'PUT' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
    const origin = { headers: { origin: 'https://planner.example' } };
    expect((await apps.get('/oauth2/authorize', origin)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each<[string, Fields, string]>([
    ['no client', { client_id: undefined }, 'bad_request'],
    ['an unknown client', { client_id: 'nobody' }, 'connected_app_not_found'],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_redirect_uri'],
    ['another redirect URI', { redirect_uri: `${CALLBACK}/` }, 'invalid_redirect_uri'],
    ['a client that is no text', { client_id: 'a\u0000' }, 'bad_request'],
    ['too much', { state: 'x'.repeat(7_200) }, 'Make state shorter'],
  ])('shows a page for %s, and leads nowhere', async (_why, fields, type) => {
    for (const method of ['GET', 'POST']) {
      const { status, location, text, headers } = await apps.visit('/authorize', { ...QUERY, ...fields }, method);
      expect([status >= 400, location]).toEqual([true, null]);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(text).toContain(type);
    }
  });

  it('shows that page with its styles, also outside of development', async () => {
    const { text } = await apps.visit('/authorize', { ...QUERY, client_id: 'nobody' });
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/u.exec(text) ?? [];
    const { status, headers } = await apps.provider.app.request(`${ISSUER}${sheet}`);
    expect([sheet, status, headers.get('content-type')]).toEqual([expect.any(String), 200, 'text/css; charset=utf-8']);
  });

  it('shows a page for a client or redirect URI that is there twice', async () => {
    for (const name of ['client_id', 'redirect_uri'] as const) {
      const query = new URLSearchParams(QUERY);
      query.append(name, QUERY[name]);
      const { body } = await apps.get(`/oauth2/authorize?${query.toString()}`);
      expect(body['error_type']).toBe('duplicate_parameter');
    }
  });

  it.each<[string, Fields]>([
    ['invalid_request', { response_type: undefined }],
    ['invalid_request', { response_type: '' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: 'code id_token' }],
    ['invalid_request', { response_mode: 'web_message' }],
    ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['request_uri_not_supported', { request_uri: 'https://planner.example/request' }],
    ['registration_not_supported', { registration: '{}' }],
    ['invalid_request', { prompt: 'sign_up' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { max_age: '-1' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { nonce: 'a\u0000' }],
    ['invalid_request', { id_token_hint: 'x' }],
    ['invalid_scope', { scope: 'nothing' }],
    ['invalid_request', { claims: '[]' }],
    ['invalid_request', { claims: '{"id_token":1}' }],
    ['invalid_request', { claims: '{"userinfo":{"email":{"essential":"yes"}}}' }],
    ['invalid_request', { claims: '{"id_token":{"sub":{"value":1}}}' }],
    ['unmet_authentication_requirements', { claims: '{"id_token":{"acr":{"essential":true,"values":["x"]}}}' }],
  ])('tells the app %s for %j', async (error, fields) => {
    expect(await errorOf(fields)).toBe(error);
  });

  it('leaves the state out of the error if it is there twice', async () => {
    const query = new URLSearchParams(QUERY);
    query.append('state', 'other');
    const { headers } = await apps.get(`/oauth2/authorize?${query.toString()}`);
    const told = queryOf(new URL(headers.get('location') ?? ''));
    expect(told).toEqual({ error: 'invalid_request', error_description: expect.any(String), iss: ISSUER });
  });

  it('ignores a scope that the project does not have, and adds those of requested claims', async () => {
    const claims = JSON.stringify({
      userinfo: { email: { essential: true }, nothing: null },
      id_token: { name: null },
    });
    const { location } = await apps.visit('/authorize', { ...QUERY, scope: 'openid address openid', claims });
    expect(queryOf(location)['scope']).toBe('openid email profile');
    const none = await apps.visit('/authorize', { ...QUERY, scope: undefined });
    expect(queryOf(none.location)['scope']).toBe('openid email profile');
  });

  soakIt('asks for a login that is newer than the request for prompt=login and max_age=0', async () => {
    for (const fields of [{ prompt: 'login' }, { max_age: '0' }]) {
      const user = await apps.provider.signIn('fresh@example.com');
      const asked = await apps.arrive(fields);
      for (const reply of [await apps.start(asked, user), await apps.submit(asked, user)]) {
        expect(reply.body).toMatchObject({ status_code: 403, error_type: 'login_required' });
      }
      apps.provider.clock.time += 1;
      const again = await apps.provider.signIn('fresh@example.com', as(user));
      expect((await apps.start(asked, again)).status).toBe(200);
      // However long the page is read.
      apps.provider.clock.time += 59 * MINUTE;
      const { id_token } = (await apps.redeem({ code: await apps.codeFor(asked, again) })).body;
      expect(decodeJwt(id_token)['auth_time']).toBe(Math.floor((apps.provider.clock.time - 59 * MINUTE) / 1000));
      // The next request needs another login.
      expect((await apps.start(await apps.arrive(fields), again)).body['error_type']).toBe('login_required');
    }
    await apps.signInAgain();
  });

  it('holds max_age to the second', async () => {
    const user = await apps.provider.signIn('aged@example.com');
    apps.provider.clock.time += 60_000;
    expect((await apps.start(await apps.arrive({ max_age: '60' }), user)).status).toBe(200);
    apps.provider.clock.time += 1;
    expect((await apps.start(await apps.arrive({ max_age: '60' }), user)).body['error_type']).toBe('login_required');
    const silent = await apps.submit(await apps.arrive({ max_age: '60', prompt: 'none' }), user);
    expect(queryOf(new URL(silent.data['redirect_uri']))['error']).toBe('login_required');
  });

  soakIt('takes only the account of the ID token or the requested sub', async () => {
    const user = await apps.provider.signIn('wanted@example.com');
    let other = await apps.provider.signIn('other@example.com');
    const { id_token } = await apps.tokensFor(['openid'], user);
    const sub = String(user['user_id']);
    for (const fields of [
      { id_token_hint: id_token },
      { claims: JSON.stringify({ id_token: { sub: { value: sub } } }) },
    ]) {
      expect((await apps.start(await apps.arrive(fields), user)).status).toBe(200);
      const asked = await apps.arrive(fields);
      expect((await apps.start(asked, other)).body['error_type']).toBe('login_required');
      const silent = await apps.submit(await apps.arrive({ ...fields, prompt: 'none' }), other);
      expect(queryOf(new URL(silent.data['redirect_uri']))['error']).toBe('login_required');
      // Somebody else logged in for this request: the app is told.
      apps.provider.clock.time += 1;
      other = await apps.provider.signIn('other@example.com', as(other));
      expect((await apps.start(asked, other)).data['consent_required']).toBe(false);
      const told = await apps.submit(asked, other);
      expect(queryOf(new URL(told.data['redirect_uri']))).toMatchObject({ error: 'login_required', iss: ISSUER });
    }
    const contradicting = { id_token_hint: id_token, claims: '{"id_token":{"sub":{"value":"x"}}}' };
    expect(await errorOf(contradicting)).toBe('invalid_request');
  });
});
