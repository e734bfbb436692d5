import { createHash, randomBytes } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedKeys } from '../../src/security/signing-keys.ts';
import { projectFrom } from '../../src/project/project.ts';
import { tokenHash } from '../../src/security/secrets.ts';
import { DATABASES, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';

const CALLBACK = 'https://planner.example/callback?from=portico%20demo';
const LOOPBACK = 'http://127.0.0.1:5000/back';
const SECRET = 'a-secret-of-the-server';

const project = projectFrom({
  issuer: 'https://login.example',
  clients: [
    {
      client_id: 'planner',
      client_type: 'public',
      name: 'Planner',
      description: 'Plans.',
      redirect_uris: [CALLBACK, LOOPBACK],
      post_logout_redirect_uris: ['https://planner.example/bye'],
      scopes: ['openid', 'profile', 'email', 'phone', 'full_access', 'write:documents', 'purge'],
    },
    {
      client_id: 'server',
      client_type: 'confidential',
      client_secret_hash: tokenHash(SECRET),
      name: 'Server',
      redirect_uris: [CALLBACK],
      scopes: ['openid', 'email'],
    },
    { client_id: 'own', client_type: 'public', name: 'Own', redirect_uris: [CALLBACK], first_party: true },
  ],
  rbac_policy: {
    roles: [{ role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['read', 'write'] }] }],
    resources: [{ resource_id: 'documents', actions: ['read', 'write', 'delete'] }],
    scopes: [
      {
        scope: 'write:documents',
        description: 'Change your documents',
        permissions: [{ resource_id: 'documents', actions: ['write'] }],
      },
      {
        scope: 'purge',
        description: 'Delete your documents',
        permissions: [{ resource_id: 'documents', actions: ['delete'] }],
      },
    ],
  },
  role_assignments: [{ email: 'Edith@example.com', roles: ['editor'] }],
});

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

describe.each(DATABASES)('signing in to other apps on %s', (_, url) => {
  let provider: Provider;
  let edith: Fields;
  let other: Fields;
  beforeAll(async () => {
    provider = await makeProvider(url, { project });
    edith = await provider.signIn('edith@example.com');
    other = await provider.signIn('other@example.com');
  });
  afterAll(() => provider.close());

  const REQUEST = { client_id: 'planner', redirect_uri: CALLBACK, response_type: 'code', scopes: ['openid', 'email'] };
  const as = (user: Fields) => ({ session: String(user['session_token']) });
  const start = (fields: Fields = {}, user = edith) =>
    provider.post('/idp/oauth/authorize/start', { ...REQUEST, ...fields }, as(user));
  const submit = (fields: Fields = {}, user = edith) =>
    provider.post(
      '/idp/oauth/authorize/submit',
      { ...REQUEST, code_challenge: challenge, consent_granted: true, ...fields },
      as(user),
    );
  const token = async (fields: Fields, headers: Record<string, string> = {}) => {
    const form = { grant_type: 'authorization_code', client_id: 'planner', redirect_uri: CALLBACK, ...fields };
    const given = Object.entries(form).filter(([, value]) => value !== undefined);
    const reply = await provider.app.request('/oauth2/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(given).toString(),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Fields };
  };
  const codeOf = async (fields: Fields = {}, user = edith) =>
    String((await submit(fields, user)).data['authorization_code']);
  const exchange = (access_token: string, session?: string) =>
    provider.post(
      '/sessions/exchange_access_token',
      { access_token, session_duration_minutes: 30 },
      session === undefined ? {} : { session },
    );

  describe('the roles of the project file', () => {
    it('belong to whoever has verified the address', async () => {
      expect(edith['user'].roles).toEqual(['editor']);
      expect(other['user'].roles).toEqual([]);
      expect((await provider.call('GET', '/users/me', undefined, as(edith))).data['roles']).toEqual(['editor']);
    });
  });

  describe('the start of an authorization', () => {
    it('says who asks for what, and what of it this user may grant', async () => {
      const { status, data } = await start({ scopes: ['openid', 'write:documents', 'purge', 'openid'] });
      expect(status).toBe(200);
      expect(data).toMatchObject({
        user_id: edith['user_id'],
        consent_required: true,
        client: {
          client_id: 'planner',
          client_name: 'Planner',
          client_description: 'Plans.',
          client_type: 'third_party_public',
        },
      });
      expect(data['scope_results']).toEqual([
        { scope: 'openid', is_grantable: true, description: 'Sign you in' },
        { scope: 'write:documents', is_grantable: true, description: 'Change your documents' },
        { scope: 'purge', is_grantable: false, description: 'Delete your documents' },
      ]);
      const theirs = await start({ scopes: ['write:documents'] }, other);
      expect(theirs.data['scope_results'][0].is_grantable).toBe(false);
    });

    it('needs no consent for the project’s own app, unless it is asked for', async () => {
      expect((await start({ client_id: 'own' })).data['consent_required']).toBe(false);
      expect((await start({ client_id: 'own', prompt: 'consent' })).data['consent_required']).toBe(true);
      expect((await start({ client_id: 'own', prompt: 'login consent' })).data['consent_required']).toBe(true);
    });

    it('needs consent once for the same scopes, again for more, and after it was taken back', async () => {
      const user = await provider.signIn('once@example.com');
      const required = async (scopes: readonly string[], prompt?: string) =>
        (await start({ scopes, prompt }, user)).data['consent_required'];
      expect(await required(['openid'])).toBe(true);
      await submit({ scopes: ['openid'] }, user);
      await submit({ scopes: ['email'] }, user);
      expect(await required(['openid', 'email'])).toBe(false);
      expect(await required(['openid', 'email'], 'consent')).toBe(true);
      expect(await required(['openid', 'profile'])).toBe(true);
      await provider.post('/users/connected_apps/planner/revoke', undefined, as(user));
      expect(await required(['openid'])).toBe(true);
    });

    it.each([
      [{ client_id: 'nobody' }, 404, 'connected_app_not_found'],
      [{ redirect_uri: 'https://planner.example/callback' }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: `${CALLBACK}/` }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: CALLBACK.replace('%20', '+') }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: 'https://planner.example:8443/callback?from=portico%20demo' }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: 'https://planner.example@evil.example/callback' }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: `${LOOPBACK}/more` }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: 'http://127.0.0.2:5000/back' }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: 'http://127.0.0.1:5000@evil.example/back' }, 400, 'invalid_redirect_uri'],
      [{ redirect_uri: 'javascript:alert(1)' }, 400, 'invalid_redirect_uri'],
      [{ response_type: 'token' }, 400, 'unsupported_response_type'],
      [{ scopes: ['openid', 'nothing'] }, 400, 'invalid_scope'],
      [{ client_id: 'server', scopes: ['openid', 'full_access'] }, 400, 'invalid_scope'],
    ])('refuses %j, and so does the submission', async (fields, status, type) => {
      for (const { body } of [
        await start(fields),
        await submit(fields),
        await submit({ ...fields, consent_granted: false }),
      ]) {
        expect(body).toMatchObject({ status_code: status, error_type: type });
        expect(JSON.stringify(body)).not.toContain('redirect_uri":');
      }
    });

    it('accepts a loopback app at any port', async () => {
      expect((await start({ redirect_uri: 'http://127.0.0.1:61234/back' })).status).toBe(200);
      expect((await start({ redirect_uri: 'http://127.0.0.1/back' })).status).toBe(200);
    });

    it('needs a session, and so does the submission', async () => {
      for (const path of ['start', 'submit']) {
        const { body } = await provider.post(`/idp/oauth/authorize/${path}`, { ...REQUEST, consent_granted: true });
        expect(body['error_type']).toBe('user_unauthenticated');
      }
    });
  });

  describe('the submission', () => {
    it('leads back with a code, the state to the byte, and who answers', async () => {
      const state = 'a b+c&d=é\u{1f511}%20"';
      const { data } = await submit({ state });
      expect(data['redirect_uri']).toMatch(/^https:\/\/planner\.example\/callback\?from=portico%20demo&/u);
      const query = new URL(data['redirect_uri']).searchParams;
      expect(query.get('state')).toBe(state);
      expect(query.get('iss')).toBe('https://login.example');
      expect(query.get('code')).toBe(data['authorization_code']);
    });

    it('leads back with an error and no code when consent is denied', async () => {
      const { data } = await submit({ consent_granted: false, state: 's' });
      const query = new URL(data['redirect_uri']).searchParams;
      expect(Object.fromEntries(query)).toEqual({
        from: 'portico demo',
        error: 'access_denied',
        state: 's',
        iss: 'https://login.example',
      });
      expect(data).not.toHaveProperty('authorization_code');
    });

    it('leaves out what the user cannot grant', async () => {
      const code = await codeOf({ scopes: ['openid', 'purge'] });
      expect((await token({ code, code_verifier: verifier })).body['scope']).toBe('openid');
      expect((await submit({ scopes: ['purge'] })).body['error_type']).toBe('invalid_scope');
    });

    it('requires PKCE of a public client', async () => {
      expect((await submit({ code_challenge: undefined })).body['error_type']).toBe('pkce_code_challenge_required');
      expect((await submit({ code_challenge: verifier.slice(1) })).body['error_type']).toBe('invalid_code_challenge');
    });
  });

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

    it('lets one of twenty redeem a code, and ends what that one got', async () => {
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

    it('ends when its app is revoked, which is listed until then', async () => {
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

  it('keeps no code in the database, and writes no token to the log', async () => {
    const code = await codeOf();
    const { body } = await token({ code, code_verifier: verifier });
    const { db } = provider.services;
    const rows = [
      await db.selectFrom('authorization_codes').selectAll().execute(),
      await db.selectFrom('oauth_access_tokens').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(code);
    const log = provider.logged.join('\n');
    for (const secret of [code, body['access_token'], verifier]) expect(log).not.toContain(secret);
  });
});
