import { exportSPKI, generateKeyPair, decodeJwt, SignJWT } from 'jose';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import {
  as,
  CALLBACK,
  challenge,
  makeApps,
  SECRET,
  SETTINGS,
  verifier,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';
import { browser, CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'a rather long and winding road 47';
const EVERYTHING = ['openid', 'email', 'full_access', 'offline_access'];
const TOLD = ['openid', 'email', 'phone', 'profile', 'write'];
const issuer = await generateKeyPair('RS256', { extractable: true });
const PROFILE = {
  profile_id: 'issuer',
  issuer: 'https://issuer.example',
  audience: 'portico',
  public_key: await exportSPKI(issuer.publicKey),
  email_domains: ['example.com'],
};
/** An app without `scopes` in the project file. */
const PLAIN = { client_id: 'plain', client_type: 'public', name: 'Plain', redirect_uris: [CALLBACK] };

describe.each(EITHER_DATABASE)('attacks through another app, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, {
      clients: [...SETTINGS.clients, PLAIN],
      role_assignments: [...SETTINGS.role_assignments, { email: 'boss@example.com', roles: ['editor'] }],
      trusted_auth_token_profiles: [PROFILE],
    });
  });
  afterAll(() => apps.provider.close());

  /** The same server, restarted with a changed project file. */
  const restartedWith = (clients: readonly object[]) => {
    const app = createApp({ ...apps.provider.services, project: projectFrom({ ...SETTINGS, clients }) });
    return async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams(fields).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const reply = await app.request(path, { method: 'POST', headers: { ...type, ...headers }, body });
      return { status: reply.status, body: (await reply.json()) as Fields };
    };
  };
  const exchange = (access_token: unknown, app = apps.provider.app) =>
    app.request('/sdk/v1/sessions/exchange_access_token', {
      method: 'POST',
      headers: { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' },
      body: JSON.stringify({ access_token, session_duration_minutes: 30 }),
    });
  const claimsTold = async (user: Fields): Promise<readonly Fields[]> => {
    const tokens = await apps.tokensFor(TOLD, user);
    const { access_token, id_token } = tokens;
    return [decodeJwt(id_token), decodeJwt(access_token), (await apps.userinfo(access_token)).body];
  };

  it.each(['full_access', 'offline_access'])('an app does not get %s unless the project lists it', async (scope) => {
    const fields = { client_id: 'plain', scopes: ['openid', scope] };
    for (const reply of [await apps.start(fields), await apps.submit(fields)]) {
      expect(reply.body).toMatchObject({ status_code: 400, error_type: 'invalid_scope' });
    }
    const silent = await apps.submit({ ...fields, prompt: 'none' });
    expect(new URL(silent.data['redirect_uri']).searchParams.get('error')).toBe('invalid_scope');
    expect(new URL(silent.data['redirect_uri']).searchParams.get('code')).toBeNull();
    // It may request the project's other scopes.
    expect((await apps.start({ client_id: 'plain', scopes: ['openid', 'email', 'write'] })).status).toBe(200);
  });

  it('an app loses the access that the project file takes back', async () => {
    const kept = await apps.tokensFor(EVERYTHING);
    const other = await apps.tokensFor(EVERYTHING);
    const code = await apps.codeFor({ scopes: EVERYTHING });
    const server = { client_id: 'server', scopes: EVERYTHING };
    const proof = withSecret('server', SECRET);
    const own = (await apps.redeem({ code: await apps.codeFor(server), client_id: 'server' }, proof)).body;
    const now = SETTINGS.clients.map((client) => ({ ...client, scopes: ['openid', 'email'] }));
    const form = restartedWith(now);

    const refreshed = { grant_type: 'refresh_token', client_id: 'planner', refresh_token: kept['refresh_token'] };
    expect((await form('/oauth2/token', refreshed)).body['error']).toBe('invalid_grant');
    const app = createApp({ ...apps.provider.services, project: projectFrom({ ...SETTINGS, clients: now }) });
    expect(((await (await exchange(other['access_token'], app)).json()) as Fields)['error_type']).toBe(
      'insufficient_scope',
    );
    const grant = { grant_type: 'authorization_code', client_id: 'planner', redirect_uri: CALLBACK };
    const redeemed = await form('/oauth2/token', { ...grant, code, code_verifier: verifier });
    expect(redeemed.body['scope']).toBe('openid email');
    expect(redeemed.body).not.toHaveProperty('refresh_token');
    const seen = await form('/oauth2/introspect', { token: own['access_token'] }, proof);
    expect(seen.body).toMatchObject({ active: true, scope: 'openid email' });
    const useless = await form('/oauth2/introspect', { token: own['refresh_token'] }, proof);
    expect(useless.body).toEqual({ active: false });
    // An app that lists these scopes keeps them.
    expect((await exchange(other['access_token'])).status).toBe(200);
    expect((await apps.refresh(kept['refresh_token'])).status).toBe(200);
  });

  it('discovery lists no scope that no app can have', async () => {
    const supported = async (clients: readonly object[]): Promise<Fields> => {
      const app = createApp({ ...apps.provider.services, project: projectFrom({ ...SETTINGS, clients }) });
      return (await (await app.request('/.well-known/openid-configuration')).json()) as Fields;
    };
    const none = await supported([PLAIN]);
    expect(none['scopes_supported']).toEqual(['openid', 'profile', 'email', 'phone', 'write', 'purge']);
    expect(none['grant_types_supported']).not.toContain('refresh_token');
    const one = await supported([PLAIN, { ...PLAIN, client_id: 'one', scopes: ['openid', 'offline_access'] }]);
    expect(one['scopes_supported']).toContain('offline_access');
    expect(one['scopes_supported']).not.toContain('full_access');
    expect(one['grant_types_supported']).toContain('refresh_token');
  });

  it('an app is not told an address that its user has not verified', async () => {
    const email = 'owner@example.com';
    const { provider } = apps;
    const body = { email, password: PASSWORD, session_duration_minutes: 60 };
    const stranger = (await provider.post('/passwords', body)).data;
    const told = JSON.stringify(await claimsTold(stranger));
    expect(told).not.toContain(email);
    expect(told).not.toContain('email_verified');
    // The user who verified the address is identified by it.
    const owner = await provider.signIn(email);
    const [id, , info] = await claimsTold(owner);
    for (const claims of [id, info]) expect(claims).toMatchObject({ email, email_verified: true });
  });

  soakIt('an app is not told a number that its user has not verified', async () => {
    const { db, clock } = apps.provider.services;
    const user = await apps.provider.signIn('numbered@example.com');
    const row = { phone_id: 'phone-of-another', user_id: String(user['user_id']), phone_number: '+14155552671' };
    const created_at = new Date(clock.now());
    await db
      .insertInto('phone_numbers')
      .values({ ...row, verified: false, created_at })
      .execute();
    expect(JSON.stringify(await claimsTold(user))).not.toContain('phone_number');
    await db.updateTable('phone_numbers').set({ verified: true }).where('phone_id', '=', row.phone_id).execute();
    expect((await claimsTold(user))[0]).toMatchObject({ phone_number: row.phone_number, phone_number_verified: true });
  });

  soakIt('an app is not told an address that a social login did not verify', async () => {
    const code_challenge = CHALLENGE;
    const token = await browser(apps.provider).token('google', { email: 'claimed@example.com' }, { code_challenge });
    const body = { token, code_verifier: VERIFIER, session_duration_minutes: 60 };
    const { data } = await apps.provider.post('/oauth/authenticate', body);
    expect(data['user_id']).toBeTruthy();
    expect(JSON.stringify(await claimsTold(data))).not.toContain('claimed@example.com');
  });

  it('an unverified address gives no roles', async () => {
    const body = { email: 'boss@example.com', password: PASSWORD, session_duration_minutes: 60 };
    const stranger = (await apps.provider.post('/passwords', body)).data;
    expect(stranger['user'].roles).toEqual([]);
    const start = await apps.start({ scopes: ['openid', 'write'] }, stranger);
    expect(start.data['scope_results']).toMatchObject([
      { is_grantable: true },
      { scope: 'write', is_grantable: false },
    ]);
    expect((await apps.tokensFor(['openid', 'write'], stranger))['scope']).toBe('openid');
  });

  it.each(['false', 'no', 0, null, {}])('a trusted token whose email_verified is %j is refused', async (verified) => {
    const now = Math.floor(apps.provider.clock.time / 1000);
    const claims = { email: 'edith@example.com', email_verified: verified };
    const token = await new SignJWT({
      ...claims,
      iss: PROFILE.issuer,
      aud: PROFILE.audience,
      iat: now,
      exp: now + 300,
    })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(issuer.privateKey);
    const { body } = await apps.provider.post('/sessions/attest', { profile_id: 'issuer', token });
    expect(body['error_type']).toBe('invalid_trusted_auth_token');
  });

  it('the apps of the shipped project get neither full nor lasting access', async () => {
    const file = JSON.parse(readFileSync(new URL('../../project.json', import.meta.url), 'utf8')) as Fields;
    const app = createApp({ ...apps.provider.services, project: projectFrom(file) });
    const headers = { 'content-type': 'application/json' };
    for (const { client_id, redirect_uris } of file['clients'] as readonly Fields[]) {
      for (const scope of ['full_access', 'offline_access']) {
        const request = { client_id, redirect_uri: redirect_uris[0], response_type: 'code', scopes: ['openid', scope] };
        const reply = await app.request('/sdk/v1/idp/oauth/authorize/submit', {
          method: 'POST',
          headers: { ...headers, authorization: basic(PUBLIC_TOKEN, as(apps.signedIn.user).session) },
          body: JSON.stringify({ ...request, code_challenge: challenge, consent_granted: true }),
        });
        expect(((await reply.json()) as Fields)['error_type']).toBe('invalid_scope');
      }
    }
  });
});
