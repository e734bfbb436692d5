import { describe, expect, it } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { fitsCookie } from '#domain/sessions/cookie-size.ts';
import { unverifiedClaims } from '#provider/base/security/jwts.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { codeOf, consent, exchange, MINUTES, redeemCode } from '../attacks/attacker.ts';
import { FREE, PROJECT as OPEN, somebody, WAYS } from '../attacks/newcomers.ts';
import { EITHER_DATABASE, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import { CALLBACK, SETTINGS } from '../kit/idp-harness.ts';
import { administer } from '../kit/managing.ts';
import { LoginBrowser } from '../kit/second-step.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const CLAIM = 'https://stytch.com/session';
const TEMPLATE = JSON.stringify({
  plan: '{{ user.trusted_metadata.plan }}',
  'https://app.example/person': { id: '{{ user.user_id }}', kind: 'user' },
});
const APP = { client_id: 'everything', name: 'App', client_type: 'public', redirect_uris: [CALLBACK] };
const { issuer, idp, clients } = projectFrom({
  ...SETTINGS,
  clients: [{ ...APP, scopes: ['openid', 'full_access'] }],
});
const PROJECT = { ...OPEN, issuer, idp, clients, session_claims: TEMPLATE };
const claimsOf = (reply: Fields): Fields => unverifiedClaims(String(reply['session_jwt']));
const expected = (user_id: unknown, plan: unknown = null) => ({
  plan,
  'https://app.example/person': { id: user_id, kind: 'user' },
});

describe.each(EITHER_DATABASE)('session_claims, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const give = (user_id: unknown, trusted_metadata: object) =>
    provider.services.db
      .updateTable('users')
      .set({ trusted_metadata: JSON.stringify(trusted_metadata) })
      .where('user_id', '=', String(user_id))
      .execute();
  const verifier = (options: object = { publicToken: PUBLIC_TOKEN }) =>
    createVerifier({
      projectId: PROJECT.project_id,
      apiUrl: 'http://localhost:4100',
      adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
      fetch: async (address, init) => provider.app.request(address, init),
      ...options,
    });
  const request = (jwt: unknown, token?: string): Request => {
    const cookies = [`stytch_session_jwt=${String(jwt)}`, ...(token === undefined ? [] : [`stytch_session=${token}`])];
    return new Request('http://localhost:3000/', { headers: { cookie: cookies.join('; ') } });
  };

  it.each(WAYS)('are in the JWT of a login by $name', async ({ begin }) => {
    const { status, data } = await (await begin(provider, somebody()))(provider);
    expect(status).toBe(200);
    expect(claimsOf(data)).toMatchObject(expected(data['user_id']));
    expect(data['session']).toMatchObject({ custom_claims: expected(data['user_id']) });
  });

  it('follow the user in the JWT of a refresh, an impersonation and an exchange', async () => {
    const { email } = somebody();
    const { user_id, session_token } = await provider.signIn(email);
    await give(user_id, { plan: 'gold' });
    const session = String(session_token);
    const refreshed = await provider.post('/sessions/authenticate', {}, { session });
    const { data } = await consent(provider, session, ['openid', 'full_access']);
    const { access_token } = await redeemCode(provider, data['authorization_code']);
    const token = (await administer(provider.services, 'impersonate', { user: email, by: 'operator@example.com' }))
      .token;
    const impersonated = await provider.post('/impersonation/authenticate', { impersonation_token: token });
    for (const reply of [refreshed, impersonated, await exchange(provider, access_token)]) {
      expect(reply.status).toBe(200);
      expect(claimsOf(reply.data)).toMatchObject(expected(user_id, 'gold'));
    }
  });

  it('replace a claim that the app’s own server set under the same name, and leave the others', async () => {
    const { user_id, session_token } = await provider.signIn(somebody().email);
    await give(user_id, { plan: 'gold' });
    await provider.services.db
      .updateTable('sessions')
      .set({ custom_claims: JSON.stringify({ plan: 'free', theme: 'dark' }) })
      .where('user_id', '=', String(user_id))
      .execute();
    const { data } = await provider.post('/sessions/authenticate', {}, { session: String(session_token) });
    expect(claimsOf(data)).toMatchObject({ ...expected(user_id, 'gold'), theme: 'dark' });
  });

  it('are the same for a server that verifies the JWT locally and for one that calls the API', async () => {
    const { user_id, session_token, session_jwt } = await provider.signIn(somebody().email);
    const visit = request(session_jwt, String(session_token));
    const [local, remote] = await Promise.all([
      verifier().authenticateRequest(visit),
      verifier().authenticateRequest(visit, { fresh: true }),
    ]);
    expect(local).toMatchObject({ status: 'signed-in', source: 'jwt', claims: expected(user_id) });
    expect(remote).toMatchObject({ status: 'signed-in', source: 'api', claims: expected(user_id) });
  });

  it('that make the JWT too long for a cookie are left out, marked and logged, and the login succeeds', async () => {
    const { email } = somebody();
    const first = await provider.signIn(email);
    const long = 'x'.repeat(3000);
    await give(first['user_id'], { plan: long });
    const logged = provider.logged.length;
    const { session_jwt, session_token, session, user_id } = await provider.signIn(email);
    await provider.signIn(email);
    const claims = unverifiedClaims(String(session_jwt)) as Fields;
    expect(fitsCookie('stytch_session_jwt', String(session_jwt), 256)).toBe(true);
    expect(Object.keys(claims)).not.toContain('plan');
    expect(claims[CLAIM]).toMatchObject({ partial: true, roles: [] });
    expect(claims[CLAIM].authentication_factors).toHaveLength(1);
    expect(session).toMatchObject({ custom_claims: expected(user_id, long) });
    expect(provider.logged.slice(logged).filter((line) => line.includes('session_claims'))).toHaveLength(1);
    // A server never takes it for a whole one: it gets all claims from the API, or refuses.
    const visit = request(session_jwt, String(session_token));
    expect(await verifier().authenticateRequest(visit)).toMatchObject({
      source: 'api',
      claims: expected(user_id, long),
    });
    expect(await verifier({}).authenticateRequest(visit)).toEqual({ status: 'signed-out', reason: 'cannot-ask' });
  });

  it('leave room for the attributes of the cookie', async () => {
    const { email } = somebody();
    const { user_id, session_jwt } = await provider.signIn(email);
    // A JWT of this length fits by its name and value alone.
    const free = 4096 - 'stytch_session_jwt'.length - String(session_jwt).length;
    for (const [reserve, isWhole] of [
      [400, true],
      [150, false],
    ] as const) {
      await give(user_id, { plan: 'x'.repeat(Math.floor(((free - reserve) * 3) / 4)) });
      expect('plan' in claimsOf(await provider.signIn(email))).toBe(isWhole);
    }
  });
});

describe.each(EITHER_DATABASE)('session_claims with a second factor, on %s', (_, url) => {
  const mfa = projectFrom({ mfa: { policy: 'required' } }).mfa;
  const provider = suiteProvider(url, { project: { ...PROJECT, mfa } });

  it('are in the JWT of the completed login, beside those about its factors', async () => {
    const browser = new LoginBrowser(provider);
    const { method_id, code } = await provider.sendCode(somebody().email);
    await browser.post('/otps/authenticate', { token: code, method_id, ...MINUTES });
    const { data } = await browser.post('/totps', { expiration_minutes: 60 });
    const totp_code = codeOf(provider, String(data['secret']));
    const done = await browser.post('/totps/authenticate', { totp_code, ...MINUTES });
    expect(done.status).toBe(200);
    expect(claimsOf(done.data)).toMatchObject({ ...expected(done.data['user_id']), acr: 'urn:portico:aal2' });
  });
});
