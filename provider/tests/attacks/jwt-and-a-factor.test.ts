import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagesOf, PROJECT } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, makeProvider, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { APP, codeOf, consent, isAlive, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const PASSWORD = 'correct horse battery staple';

type Login = (extras: object) => Promise<ProviderResponse>;

/**
 * An attacker has the JWT of a session that proved two factors, from the log of an app, and one factor of its user, such as the mailbox for
 * a minute. A login by that factor must not go on with the session: it would get a token with both factors.
 */
describe.each(EITHER_DATABASE)('an attacker with the JWT of a session and one factor of its user, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function stolen() {
    const email = uniqueEmail('victim');
    const began = String((await provider.signIn(email))['session_token']);
    const set = await provider.post('/passwords/session/reset', { password: PASSWORD, ...MINUTES }, { session: began });
    const before = String(set.data['session_token']);
    const { data: app } = await provider.post('/totps', { expiration_minutes: 60 }, { session: before });
    const entered = { totp_code: codeOf(provider, app['secret']), ...MINUTES };
    const { data } = await provider.post('/totps/authenticate', entered, { session: before });
    return { email, app, owner: String(data['session_token']), jwt: String(data['session_jwt']) };
  }

  const loginsOf = (email: string): readonly (readonly [method: string, login: Login])[] => [
    [
      'password',
      (extras) => provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES }, extras),
    ],
    [
      'otp',
      async (extras) => {
        const { code: token, method_id } = await provider.sendCode(email);
        return provider.post('/otps/authenticate', { token, method_id, ...MINUTES }, extras);
      },
    ],
    [
      'magic_link',
      async (extras) =>
        provider.post('/magic_links/authenticate', { token: await provider.sendLink(email), ...MINUTES }, extras),
    ],
  ];

  it('gets a session of that factor alone', async () => {
    const { email, owner, jwt } = await stolen();
    for (const [method, login] of loginsOf(email)) {
      const { status, data } = await login({ session: jwt });
      const types = (data['session'].authentication_factors as Fields[]).map(({ type }) => String(type));
      expect([status, types]).toEqual([200, [method]]);
      const session = String(data['session_token']);
      const shown = await provider.post('/totps/recovery_codes', {}, { session });
      expect([shown.status, shown.body['error_type']]).toEqual([403, 'mfa_required']);
      expect((await consent(provider, session)).body['error_type']).toBe('mfa_required');
    }
    expect(await isAlive(provider, owner)).toBe(true);
  });

  it('gets no other where sessions are in HttpOnly cookies, and the JWT is in one', async () => {
    const cookies = await makeProvider(url, { project: PROJECT });
    const { openPage, copyOf } = pagesOf(() => cookies);
    const email = uniqueEmail('victim');
    const page = openPage();
    const { data } = await page.signUp(email);
    expect((await page.send('/passwords/session/reset', { password: PASSWORD, ...MINUTES })).status).toBe(200);
    const made = await page.send('/totps', { expiration_minutes: 60 });
    const entered = { totp_code: codeOf(cookies, made.data['secret']), ...MINUTES };
    expect((await page.send('/totps/authenticate', entered)).status).toBe(200);
    const thief = copyOf(page, ['stytch_session_jwt']);
    expect((await thief.authenticate()).data['user_id']).toBe(data['user_id']);
    const { session } = (await thief.send('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES })).data;
    expect(session.session_id).not.toBe(data['session'].session_id);
    expect((session.authentication_factors as Fields[]).map(({ type }) => String(type))).toEqual(['password']);
    expect((await page.authenticate()).status).toBe(200);
    await cookies.close();
  });

  it('gets no session by a code of the authenticator app or a recovery code, and uses none up', async () => {
    const { app, owner, jwt } = await stolen();
    provider.clock.time += 60_000;
    const code = { totp_code: codeOf(provider, app['secret']), ...MINUTES };
    const recovery = { recovery_code: app['recovery_codes'][0], ...MINUTES };
    for (const [path, body] of [
      ['/totps/authenticate', code],
      ['/totps/recover', recovery],
    ] as const) {
      const refused = await provider.post(path, body, { session: jwt });
      expect([refused.status, refused.body['error_type']]).toEqual([403, 'unauthorized_action']);
    }
    const proven = await provider.post('/totps/authenticate', code, { session: owner });
    expect(proven.status).toBe(200);
    const session = String(proven.data['session_token']);
    expect((await provider.post('/totps/recover', recovery, { session })).status).toBe(200);
  });

  it('changes neither the name nor the metadata, and takes no access from an app', async () => {
    const { owner, jwt } = await stolen();
    expect((await consent(provider, owner)).status).toBe(200);
    const changed = { name: { first_name: 'Mallory' }, untrusted_metadata: { by: 'mallory' } };
    const refused = [
      await provider.call('PUT', '/users/me', changed, { session: jwt }),
      await provider.post(`/users/connected_apps/${APP}/revoke`, {}, { session: jwt }),
    ];
    for (const { status, body } of refused) expect([status, body['error_type']]).toEqual([403, 'unauthorized_action']);
    const { data } = await provider.call('GET', '/users/me', undefined, { session: owner });
    expect(JSON.stringify(data)).not.toMatch(/mallory/iu);
  });
});
