import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { startBackendApps, THERE, type BackendApps } from '../kit/backend-apps.ts';
import { refusalOf } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('an app made at run time, on %s', (_, database) => {
  let apps: BackendApps;
  beforeAll(async () => {
    const { issuer: _issuer, ...settings } = SETTINGS;
    apps = await startBackendApps(database, { project: projectFrom(settings) });
  });
  afterAll(() => apps.close());

  const introspect = async (
    app: { client_id: string; client_secret?: string },
    token: unknown,
    options?: Parameters<BackendApps['client']['idp']['introspectTokenNetwork']>[1],
  ) => apps.client.idp.introspectTokenNetwork({ ...app, token: String(token) }, options);
  const userinfo = async (token: unknown) =>
    (await apps.raw('GET', '/oauth2/userinfo', { headers: { authorization: `Bearer ${String(token)}` } })).status;

  it('is for a user that the app’s server names by one id or session, not by two', async () => {
    const { client_id } = await apps.make('third_party', {
      client_name: 'Planner',
      logo_url: 'https://planner.example/i.png',
    });
    const { session_token, session_jwt } = apps.user;
    for (const named of [{}, { user_id: undefined, session_token }, { user_id: undefined, session_jwt }]) {
      const started = await apps.start(client_id, { scopes: ['openid', 'write', 'purge'], ...named });
      expect(started).toMatchObject({
        user_id: apps.user_id,
        user: { user_id: apps.user_id, external_id: null },
        client: {
          client_id,
          client_type: 'third_party',
          client_name: 'Planner',
          logo_url: 'https://planner.example/i.png',
        },
        consent_required: true,
        scope_results: [
          { scope: 'openid', is_grantable: true },
          { scope: 'write', is_grantable: true },
          { scope: 'purge', is_grantable: false },
        ],
      });
    }
    const wrong: [Fields, string][] = [
      [{ user_id: undefined }, 'invalid_request'],
      [{ session_token }, 'invalid_request'],
      [{ user_id: 'nobody' }, 'invalid_request'],
      [{ user_id: undefined, session_token: 'x' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scopes: ['openid', 'full_access'] }, 'invalid_scope'],
      [{ scopes: ['root'] }, 'invalid_scope'],
      [{ client_id: 'nobody' }, 'invalid_request'],
      [{ prompt: 'login' }, 'login_required'],
    ];
    for (const [fields, error_type] of wrong) {
      const refused = await refusalOf(apps.start(client_id, fields));
      expect([fields, refused]).toMatchObject([fields, { error_type, error_message: expect.any(String) }]);
      expect((await refusalOf(apps.authorize(client_id, fields)))['error_type']).toBe(error_type);
    }
  });

  it.each([
    'https://planner.example.evil.example/callback',
    'https://planner.example@evil.example/callback',
    'https://plannér.example/callback',
    'https://planner.example/callback/',
    'https://planner.example/callback?x',
    'https://planner.example:444/callback',
    'https://PLANNER.example/callback',
    'http://planner.example/callback',
  ])('sends nothing to an address that looks like its own: %s', async (redirect_uri) => {
    const { client_id } = await apps.make();
    const refused = await refusalOf(apps.authorize(client_id, { redirect_uri }));
    expect(refused['error_message']).toContain('redirect URI');
  });

  soakIt('gets a code and tokens, which the public SDK checks by the network', async () => {
    const app = await apps.make('third_party', {
      access_token_template_content: '{ "plan": {{ user.trusted_metadata.plan }}, "to": "{{ user.emails[0].email }}" }',
      id_token_template_content: '{ "theme": "dark", "email": "mallory@example.com" }',
      access_token_custom_audience: 'https://api.example',
      access_token_expiry_minutes: 10,
    });
    const granted = await apps.authorize(app.client_id, {
      state: 's',
      nonce: 'n',
      scopes: ['openid', 'email', 'write'],
    });
    const target = new URL(granted.redirect_uri);
    expect(target.origin + target.pathname).toBe(THERE);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: granted.authorization_code,
      state: 's',
      iss: apps.url.slice(0, -1),
    });
    const { access_token, id_token, ...told } = (await apps.redeem(app, granted.authorization_code)).body;
    expect(told).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid email write',
      status_code: 200,
    });
    expect(decodeProtectedHeader(access_token).typ).toBe('at+jwt');
    expect(decodeJwt(id_token)).toMatchObject({
      theme: 'dark',
      email: 'edith@example.com',
      nonce: 'n',
      aud: app.client_id,
    });
    expect(decodeJwt(id_token)).not.toHaveProperty('auth_time');

    const { project_id } = apps.provider.services.project;
    const claims = {
      subject: apps.user_id,
      scope: 'openid email write',
      audience: [project_id, 'https://api.example'],
      custom_claims: { plan: null, to: 'edith@example.com' },
      issuer: apps.url.slice(0, -1),
    };
    const { client_id, client_secret = '' } = app;
    expect(await introspect({ client_id, client_secret }, access_token)).toMatchObject(claims);
    // Alone the SDK takes the type JWT only, by which an access token could not be told from an ID token (RFC 9068).
    await expect(apps.client.idp.introspectTokenLocal(access_token)).rejects.toThrow();
    const { refresh_token } = await apps.tokensFor(app);
    expect(await introspect({ client_id, client_secret }, refresh_token)).toMatchObject({
      subject: apps.user_id,
      audience: project_id,
      issuer: claims.issuer,
      not_before: expect.any(Number),
      token_type: 'refresh_token',
    });
    const authorization_check = { resource_id: 'documents', action: 'write' };
    await introspect({ client_id, client_secret }, access_token, { authorization_check });
    const denied = { authorization_check: { ...authorization_check, action: 'delete' } };
    await expect(introspect({ client_id, client_secret }, access_token, denied)).rejects.toThrow();
    expect(await userinfo(access_token)).toBe(200);

    await expect(introspect({ client_id, client_secret: 'wrong' }, access_token)).rejects.toThrow('token_invalid');
    const other = await apps.make();
    const asOther = { client_id: other.client_id, client_secret: other.client_secret ?? '' };
    await expect(introspect(asOther, access_token)).rejects.toThrow('not active');

    apps.provider.clock.time += 10 * MINUTE;
    await expect(introspect({ client_id, client_secret }, access_token)).rejects.toThrow('not active');
    apps.provider.clock.time -= 10 * MINUTE;
    await apps.form('/revoke', { client_id, client_secret, token: access_token });
    await expect(introspect({ client_id, client_secret }, access_token)).rejects.toThrow('not active');
  });

  it('receives the denial of the user, and gets no code', async () => {
    const { client_id } = await apps.make();
    const denied = await apps.authorize(client_id, { consent_granted: false, state: 's' });
    expect(denied).not.toHaveProperty('authorization_code');
    expect(new URL(denied.redirect_uri).searchParams.get('error')).toBe('access_denied');
  });

  it('without a secret has to prove its code, and can introspect only its own access tokens', async () => {
    const app = await apps.make('third_party_public');
    const { client_id } = app;
    expect((await refusalOf(apps.authorize(client_id, { code_challenge: undefined })))['error_message']).toMatch(
      /pkce/u,
    );
    const { access_token, refresh_token } = await apps.tokensFor(app);
    expect(await introspect({ client_id }, access_token)).toMatchObject({ subject: apps.user_id });
    await expect(introspect({ client_id }, refresh_token)).rejects.toThrow('not active');
    expect((await apps.form('/introspect', { client_id, token: access_token }, '/oauth2')).status).toBe(401);
    const foreign = '/v1/public/project-test-other/oauth2';
    for (const path of ['/token', '/introspect', '/revoke']) {
      expect(await apps.form(path, { client_id, token: access_token }, foreign)).toMatchObject({
        status: 404,
        body: { error_type: 'route_not_found' },
      });
    }
  });

  it('of the project itself is let in unasked, but asks to stay unless that is allowed', async () => {
    const asked = async (scopes: string[], fields: Fields) => {
      const { client_id } = await apps.make('first_party', fields);
      return (await apps.start(client_id, { scopes })).consent_required;
    };
    expect(await asked(['openid'], {})).toBe(false);
    expect(await asked(['openid', 'offline_access'], {})).toBe(true);
    expect(await asked(['openid', 'offline_access'], { bypass_consent_for_offline_access: true })).toBe(false);
    expect(await asked(['full_access'], { full_access_allowed: true })).toBe(false);
  });

  it('with full access makes a session of its token, which ends when that is no longer allowed', async () => {
    const app = await apps.make('first_party', { full_access_allowed: true });
    const { access_token } = await apps.tokensFor(app, { scopes: ['full_access'] });
    const exchanged = { access_token, session_duration_minutes: 60 };
    const { data } = await apps.provider.post('/sessions/exchange_access_token', exchanged);
    const me = async () =>
      (await apps.provider.call('GET', '/users/me', undefined, { session: String(data['session_token']) })).status;
    expect(await me()).toBe(200);
    // An app cannot grant others access in the user's name.
    const third = await apps.make();
    const named = { user_id: undefined, session_token: data['session_token'] };
    expect((await refusalOf(apps.authorize(third.client_id, named)))['error_message']).toMatch(/not allowed/u);
    await apps.client.connectedApp.clients.update({ client_id: app.client_id, full_access_allowed: false });
    expect(await me()).toBe(401);
  });

  it('is seen by the routes of the client: consent, the list of the user’s apps, revocation and logout', async () => {
    const app = await apps.make('third_party', {
      client_name: 'Seen',
      post_logout_redirect_urls: ['https://planner.example/bye'],
    });
    const { client_id } = app;
    const session = { session: String(apps.user['session_token']) };
    const request = { client_id, redirect_uri: THERE, response_type: 'code', scopes: ['openid'] };
    const started = await apps.provider.post('/idp/oauth/authorize/start', request, session);
    expect(started.data['client']).toMatchObject({ client_id, client_name: 'Seen', client_type: 'third_party' });
    const { access_token } = await apps.tokensFor(app);
    const listed = await apps.provider.call('GET', '/users/connected_apps', undefined, session);
    expect(listed.data['connected_apps']).toEqual(
      expect.arrayContaining([expect.objectContaining({ connected_app_id: client_id, name: 'Seen' })]),
    );
    const logout = { client_id, post_logout_redirect_uri: 'https://planner.example/bye' };
    expect((await apps.provider.post('/oauth/logout/start', logout, session)).status).toBe(200);
    expect(await userinfo(access_token)).toBe(200);
    await apps.provider.post(`/users/connected_apps/${client_id}/revoke`, undefined, session);
    expect(await userinfo(access_token)).toBe(401);
  });

  it('needs the user’s second factor to stay, as everywhere', async () => {
    const { client_id } = await apps.make();
    const { services } = apps.provider;
    const other = await apps.provider.signIn('totp@example.com');
    const user_id = String(other['user_id']);
    const now = new Date(services.clock.now());
    await services.db
      .insertInto('totps')
      .values({
        totp_id: 'totp-1',
        user_id,
        verified: true,
        secret: 'x',
        last_step: 0,
        created_at: now,
        expires_at: now,
      })
      .execute();
    const refused = await refusalOf(apps.authorize(client_id, { user_id }));
    expect(refused['error_message']).toMatch(/second factor/u);
    expect(await apps.authorize(client_id, { user_id, scopes: ['openid'] })).toHaveProperty('authorization_code');
  });
});
