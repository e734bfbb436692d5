import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider } from '../kit/harness.ts';
import { appSteps, CALLBACK, LOOPBACK, project, REQUEST, verifier } from './app-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('signing in to other apps on %s', (_, url) => {
  let provider: Provider;
  let edith: Fields;
  let other: Fields;
  beforeAll(async () => {
    provider = await makeProvider(url, { project });
    edith = await provider.signIn('edith@example.com');
    other = await provider.signIn('other@example.com');
  });
  afterAll(() => provider.close());
  const { as, start, submit, token, codeOf } = appSteps(
    () => provider,
    () => edith,
  );

  describe('the roles of the project file', () => {
    it('belong to whoever has verified the address', async () => {
      expect(edith['user'].roles).toEqual(['editor']);
      expect(other['user'].roles).toEqual([]);
      expect((await provider.call('GET', '/users/me', undefined, as(edith))).data['roles']).toEqual(['editor']);
    });
  });

  describe('the start of an authorization', () => {
    it('returns the app, its scopes, and which of them this user may grant', async () => {
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
          client_verified: false,
        },
      });
      expect(data['scope_results']).toEqual([
        { scope: 'openid', is_grantable: true, description: 'Sign you in', access: 'view' },
        { scope: 'write:documents', is_grantable: true, description: 'Change your documents', access: 'change' },
        { scope: 'purge', is_grantable: false, description: 'Delete your documents', access: 'change' },
      ]);
      const theirs = await start({ scopes: ['write:documents'] }, other);
      expect(theirs.data['scope_results'][0].is_grantable).toBe(false);
    });

    it('needs no consent for the project’s own app, unless the app requests it', async () => {
      expect((await start({ client_id: 'own' })).data).toMatchObject({
        consent_required: false,
        client: { client_verified: true },
      });
      expect((await start({ client_id: 'own', prompt: 'consent' })).data['consent_required']).toBe(true);
      expect((await start({ client_id: 'own', prompt: 'select_account consent' })).data['consent_required']).toBe(true);
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
      [{ scopes: ['nothing'] }, 400, 'invalid_scope'],
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
      const { data } = await submit({ prompt: 'consent', consent_granted: false, state: 's' });
      const query = new URL(data['redirect_uri']).searchParams;
      expect(Object.fromEntries(query)).toEqual({
        from: 'portico demo',
        error: 'access_denied',
        state: 's',
        iss: 'https://login.example',
      });
      expect(data).not.toHaveProperty('authorization_code');
    });

    soakIt('leaves out what the user cannot grant', async () => {
      const code = await codeOf({ scopes: ['openid', 'purge'] });
      expect((await token({ code, code_verifier: verifier })).body['scope']).toBe('openid');
      expect((await submit({ scopes: ['purge'] })).body['error_type']).toBe('invalid_scope');
    });

    it('requires PKCE of a public client', async () => {
      expect((await submit({ code_challenge: undefined })).body['error_type']).toBe('pkce_code_challenge_required');
      expect((await submit({ code_challenge: verifier.slice(1) })).body['error_type']).toBe('invalid_code_challenge');
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
