import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedKeys } from '#provider/base/security/signing-keys.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { appSteps, CALLBACK, LOOPBACK, project, SECRET, verifier } from './app-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('tokens for other apps on %s', (_, url) => {
  let provider: Provider;
  let edith: Fields;
  let other: Fields;
  beforeAll(async () => {
    provider = await makeProvider(url, { project });
    edith = await provider.signIn('edith@example.com');
    other = await provider.signIn('other@example.com');
  });
  afterAll(() => provider.close());
  const { as, token, codeOf, exchange } = appSteps(
    () => provider,
    () => edith,
  );

  describe('the token endpoint', () => {
    it('gives an access token and an ID token that the published keys confirm', async () => {
      const code = await codeOf({ nonce: 'n-1', scopes: ['openid', 'email', 'full_access'] });
      const { status, headers, body } = await token({ code, code_verifier: verifier });
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid email full_access' });
      const key = createLocalJWKSet((await publishedKeys(provider.services, 'apps')) as JSONWebKeySet);
      const currentDate = new Date(provider.clock.time);
      const { payload } = await jwtVerify(body['id_token'], key, {
        issuer: 'https://login.example',
        audience: 'planner',
        currentDate,
      });
      expect(payload).toMatchObject({
        sub: edith['user_id'],
        nonce: 'n-1',
        email: 'edith@example.com',
        email_verified: true,
        sid: edith['session'].session_id,
      });
      const access = await jwtVerify(body['access_token'], key, {
        typ: 'at+jwt',
        audience: project.project_id,
        currentDate,
      });
      expect(access.payload).toMatchObject({ client_id: 'planner', scope: 'openid email full_access' });
    });

    it('gives no ID token without openid', async () => {
      const { body } = await token({ code: await codeOf({ scopes: ['email'] }), code_verifier: verifier });
      expect(body).not.toHaveProperty('id_token');
    });

    it.each<[string, Fields, string]>([
      ['without a verifier', { code_verifier: undefined }, 'invalid_grant'],
      ['with another verifier', { code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
      ['with another redirect URI', { redirect_uri: LOOPBACK }, 'invalid_grant'],
      ['without a redirect URI', { redirect_uri: undefined }, 'invalid_grant'],
      ['by another client', { client_id: 'own' }, 'invalid_grant'],
      ['by no client', { client_id: undefined }, 'invalid_client'],
      ['by an unknown client', { client_id: 'nobody' }, 'invalid_client'],
      ['by a confidential client without its secret', { client_id: 'server' }, 'invalid_client'],
      ['by a public client with a secret', { client_secret: 'x' }, 'invalid_client'],
      ['without a code', { code: undefined }, 'invalid_request'],
      ['with an unknown code', { code: 'x' }, 'invalid_grant'],
      ['for another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
      ['for no grant', { grant_type: undefined }, 'invalid_request'],
    ])('refuses a code %s, and does not spend it', async (_kind, fields, error) => {
      const code = await codeOf();
      const refused = await token({ code, code_verifier: verifier, ...fields });
      expect(refused.status).toBe(error === 'invalid_client' ? 401 : 400);
      expect(refused.body['error']).toBe(error);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect((await token({ code, code_verifier: verifier })).status).toBe(200);
    });

    it('accepts a confidential client by header and by body', async () => {
      const request = { client_id: 'server', code_challenge: undefined };
      const header = { authorization: `Basic ${Buffer.from(`server:${SECRET}`).toString('base64')}` };
      const first = await token({ code: await codeOf(request), client_id: undefined }, header);
      expect(first.status).toBe(200);
      const second = await token({ code: await codeOf(request), client_id: 'server', client_secret: SECRET });
      expect(second.status).toBe(200);
      const wrong = { authorization: `Basic ${Buffer.from('server:wrong').toString('base64')}` };
      const refused = await token({ code: await codeOf(request), client_id: undefined }, wrong);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /u);
    });

    it('refuses a verifier for a code that began without PKCE', async () => {
      const code = await codeOf({ client_id: 'server', code_challenge: undefined });
      const { body } = await token({ code, client_id: 'server', client_secret: SECRET, code_verifier: verifier });
      expect(body['error']).toBe('invalid_grant');
    });

    it('accepts a code for a minute', async () => {
      const code = await codeOf();
      provider.clock.time += MINUTE;
      expect((await token({ code, code_verifier: verifier })).body['error']).toBe('invalid_grant');
    });

    it('refuses a code of a session that has ended', async () => {
      const user = await provider.signIn('gone@example.com');
      const code = await codeOf({}, user);
      await provider.post('/sessions/revoke', undefined, as(user));
      expect((await token({ code, code_verifier: verifier })).body['error']).toBe('invalid_grant');
    });

    it('accepts a form by POST, each field once', async () => {
      const request = (init: RequestInit) => provider.app.request('/oauth2/token', init);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await request({ method: 'POST', headers: form, body: 'code=a&code=b' })).status).toBe(400);
      expect(
        (await request({ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status,
      ).toBe(400);
      expect((await request({ method: 'GET' })).status).toBe(405);
    });

    soakIt('lets one of twenty redeem a code, and ends what that one got', async () => {
      const code = await codeOf({ scopes: ['full_access'] });
      const replies = await Promise.all(Array.from({ length: 20 }, () => token({ code, code_verifier: verifier })));
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
      expect((await exchange(won[0]?.body['access_token'])).body['error_type']).toBe('invalid_access_token');
    });
  });

  describe('an access token', () => {
    const access = async (scopes: readonly string[] = ['openid', 'full_access'], user = edith) =>
      (await token({ code: await codeOf({ scopes }, user), code_verifier: verifier })).body;

    it('becomes a session of its user', async () => {
      const { access_token } = await access();
      const { status, data } = await exchange(access_token);
      expect(status).toBe(200);
      expect(data['user_id']).toBe(edith['user_id']);
      expect(data['session'].authentication_factors).toMatchObject([
        { type: 'oauth_access_token_exchange', oauth_access_token_exchange_factor: { client_id: 'planner' } },
      ]);
      expect((await provider.call('GET', '/users/me', undefined, as(data))).status).toBe(200);
    });

    it('becomes a session only with the scope full_access', async () => {
      const { access_token } = await access(['openid', 'email']);
      expect((await exchange(access_token)).body).toMatchObject({ status_code: 403, error_type: 'insufficient_scope' });
    });

    it('is not an ID token, a session or anything changed', async () => {
      const { access_token, id_token } = await access();
      const [head, payload, signature] = String(access_token).split('.');
      const claims = { ...decodeJwt(access_token), sub: other['user_id'] };
      const changed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
      for (const wrong of [id_token, edith['session_jwt'], changed, `${head}.${payload}.`, 'x', '']) {
        expect((await exchange(wrong)).body).toMatchObject({ status_code: 401, error_type: 'invalid_access_token' });
      }
      const asSession = await provider.call('GET', '/users/me', undefined, { session: access_token });
      expect(asSession.body['error_type']).toBe('unauthorized_credentials');
    });

    it('ends after an hour', async () => {
      const { access_token } = await access(['full_access'], await provider.signIn('hour@example.com'));
      provider.clock.time += 60 * MINUTE;
      expect((await exchange(access_token)).body['error_type']).toBe('invalid_access_token');
      edith = await provider.signIn('edith@example.com');
      other = await provider.signIn('other@example.com');
    });

    soakIt('ends when its app is revoked, which is listed until then', async () => {
      const user = await provider.signIn('apps@example.com');
      const { access_token } = await access(['openid', 'full_access'], user);
      const apps = async () =>
        (await provider.call('GET', '/users/connected_apps', undefined, as(user))).data['connected_apps'];
      expect(await apps()).toEqual([
        {
          connected_app_id: 'planner',
          name: 'Planner',
          description: 'Plans.',
          client_type: 'third_party_public',
          logo_url: null,
          scopes_granted: 'openid full_access',
          last_used_at: new Date(provider.clock.time).toISOString(),
        },
      ]);
      const revoke = () => provider.post('/users/connected_apps/planner/revoke', undefined, as(user));
      expect((await revoke()).status).toBe(200);
      expect(await apps()).toEqual([]);
      expect((await exchange(access_token)).body['error_type']).toBe('invalid_access_token');
      expect((await revoke()).body['error_type']).toBe('connected_app_not_found');
    });
  });

  describe('the logout', () => {
    const BYE = { client_id: 'planner', post_logout_redirect_uri: 'https://planner.example/bye' };
    const logout = (fields: Fields = {}, session?: string) =>
      provider.post('/oauth/logout/start', { ...BYE, ...fields }, session === undefined ? {} : { session });
    const hintOf = async (user: Fields, fields: Fields = {}) =>
      (
        await token({
          code: await codeOf(fields, user),
          code_verifier: verifier,
          client_id: fields['client_id'] ?? 'planner',
        })
      ).body['id_token'];

    it('asks, unless the app sends an ID token of this session', async () => {
      const user = await provider.signIn('leaver@example.com');
      const id_token_hint = await hintOf(user);
      const { data } = await logout({ id_token_hint, state: 'a b' }, user['session_token']);
      expect(data).toMatchObject({ consent_required: false, redirect_uri: 'https://planner.example/bye?state=a+b' });
      expect((await logout({}, user['session_token'])).data['consent_required']).toBe(true);
      expect((await logout({ id_token_hint }, edith['session_token'])).data['consent_required']).toBe(true);
      expect((await logout({ id_token_hint })).data).toMatchObject({ consent_required: true });
      expect((await logout()).data['redirect_uri']).toBe('https://planner.example/bye');
    });

    it('accepts a hint that has expired', async () => {
      const user = await provider.signIn('old@example.com');
      const longer = await provider.post('/sessions/authenticate', { session_duration_minutes: 500 }, as(user));
      const id_token_hint = await hintOf(user);
      provider.clock.time += 120 * MINUTE;
      expect((await logout({ id_token_hint }, longer.data['session_token'])).data['consent_required']).toBe(false);
      edith = await provider.signIn('edith@example.com');
    });

    it.each([
      [{ post_logout_redirect_uri: 'https://planner.example/bye/' }, 400, 'invalid_post_logout_redirect_uri'],
      [{ post_logout_redirect_uri: CALLBACK }, 400, 'invalid_post_logout_redirect_uri'],
      [{ client_id: 'nobody' }, 404, 'connected_app_not_found'],
      [{ id_token_hint: 'x' }, 400, 'invalid_id_token_hint'],
    ])('refuses %j', async (fields, status, type) => {
      expect((await logout(fields)).body).toMatchObject({ status_code: status, error_type: type });
    });

    it('refuses a hint for another app, and what is no ID token', async () => {
      const foreign = await hintOf(edith, { client_id: 'own' });
      for (const id_token_hint of [foreign, edith['session_jwt']]) {
        expect((await logout({ id_token_hint })).body['error_type']).toBe('invalid_id_token_hint');
      }
    });
  });
});
