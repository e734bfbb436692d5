import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, ISSUER, makeApps, type Apps } from '../kit/idp-harness.ts';

const b64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each(EITHER_DATABASE)('the userinfo endpoint on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url);
  });
  afterAll(() => apps.provider.close());

  const post = (body: Fields, headers: Record<string, string> = {}) => apps.form('/userinfo', body, headers);

  it('reports what the scopes allow, and no more', async () => {
    const body = { name: { first_name: 'Edith', last_name: 'Clarke' } };
    await apps.provider.call('PUT', '/users/me', body, as(apps.signedIn.user));
    const about = async (scopes: readonly string[]) =>
      (await apps.userinfo((await apps.tokensFor(scopes))['access_token'])).body;
    const sub = apps.signedIn.user['user_id'];
    expect(await about(['openid'])).toEqual({ sub });
    expect(await about(['openid', 'phone'])).toEqual({ sub });
    expect(await about(['openid', 'email'])).toEqual({ sub, email: 'edith@example.com', email_verified: true });
    expect(await about(['openid', 'profile'])).toEqual({
      sub,
      name: 'Edith Clarke',
      given_name: 'Edith',
      family_name: 'Clarke',
    });
  });

  it('takes the token in a form, and not in a query', async () => {
    const { access_token } = await apps.tokensFor(['openid']);
    expect((await post({ access_token })).status).toBe(200);
    const inQuery = await apps.get(`/oauth2/userinfo?access_token=${access_token}`);
    expect(inQuery.status).toBe(401);
    expect(inQuery.body).toEqual({});
    const twice = await post({ access_token }, { authorization: `Bearer ${access_token}` });
    expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('says without a token that it wants one, and no error (RFC 6750, section 3.1)', async () => {
    const { status, headers, body } = await apps.get('/oauth2/userinfo');
    expect([status, headers.get('www-authenticate'), body]).toEqual([401, 'Bearer realm="portico"', {}]);
  });

  it('refuses what is no live access token, in the header and in the body', async () => {
    const { access_token, id_token } = await apps.tokensFor(['openid']);
    const [head, payload, signature] = String(access_token).split('.');
    const claims = { ...decodeJwt(access_token), sub: 'user-test-other' };
    const wrong = [
      id_token,
      apps.signedIn.user['session_jwt'],
      apps.signedIn.user['session_token'],
      `${head}.${b64(claims)}.${signature}`,
      `${head}.${payload}.`,
      `${b64({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      `${b64({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
      `${b64({ alg: 'HS256', typ: 'at+jwt', kid: 'x' })}.${payload}.${signature}`,
      'x',
    ];
    for (const token of wrong) {
      const refused = await apps.userinfo(token);
      expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer realm="portico", error="invalid_token", /u);
    }
    for (const authorization of ['Bearer a b', 'Basic x', 'Bearer']) {
      expect((await apps.userinfo('', { authorization })).body['error']).toBe('invalid_request');
    }
  });

  it('wants the scope openid', async () => {
    const { body } = await apps.redeem({ code: await apps.codeFor({ scopes: ['email'] }) });
    const refused = await apps.userinfo(body['access_token']);
    expect(refused).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    expect(refused.headers.get('www-authenticate')).toMatch(/, scope="openid"$/u);
  });

  it('refuses the token of an app that the user revoked, and one that has expired', async () => {
    const user = await apps.provider.signIn('revoker@example.com');
    const { access_token } = await apps.tokensFor(['openid', 'full_access'], user);
    expect((await apps.userinfo(access_token)).status).toBe(200);
    await apps.provider.post('/users/connected_apps/planner/revoke', undefined, as(user));
    expect((await apps.userinfo(access_token)).body['error']).toBe('invalid_token');
    const exchange = { access_token, session_duration_minutes: 30 };
    const { body } = await apps.provider.post('/sessions/exchange_access_token', exchange);
    expect(body['error_type']).toBe('invalid_access_token');
    const late = await apps.tokensFor(['openid'], user);
    apps.provider.clock.time += 60 * MINUTE;
    expect((await apps.userinfo(late['access_token'])).body['error']).toBe('invalid_token');
    await apps.signInAgain();
  });

  it('binds the ID token to its access token and to its app', async () => {
    const { access_token, id_token } = await apps.tokensFor(['openid']);
    const session = apps.signedIn.user['session'];
    expect(decodeJwt(id_token)).toMatchObject({ iss: ISSUER, aud: 'planner', azp: 'planner', sid: session.session_id });
    const { aud, client_id, scope, jti, auth_time } = decodeJwt(access_token);
    expect([aud, client_id, scope]).toEqual([apps.provider.services.project.project_id, 'planner', 'openid']);
    expect([typeof jti, auth_time]).toEqual(['string', Math.floor(Date.parse(session.started_at) / 1000)]);
  });
});
