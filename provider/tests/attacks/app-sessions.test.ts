import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Provider } from '../kit/harness.ts';
import {
  APP,
  codeOf,
  enrolTotp,
  consent,
  exchange,
  isAlive,
  makeTarget,
  MINUTES,
  redeemCode,
  refresh,
  token,
  uniqueEmail,
} from './attacker.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('a session that an app made of its access token, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  async function connected() {
    const email = uniqueEmail('connected');
    const owner = String((await provider.signIn(email))['session_token']);
    const tokens = await redeemCode(provider, (await consent(provider, owner)).data['authorization_code']);
    const made = await exchange(provider, tokens['access_token']);
    expect(made.status).toBe(200);
    return { email, owner, tokens, session: String(made.data['session_token']), jwt: String(made.data['session_jwt']) };
  }

  it('the session and its JWT end when the user revokes the app', async () => {
    const { owner, session, jwt } = await connected();
    const path = `/users/connected_apps/${APP}/revoke`;
    expect((await provider.post(path, undefined, { session: owner })).status).toBe(200);
    expect(await isAlive(provider, session)).toBe(false);
    expect(await isAlive(provider, jwt)).toBe(false);
    expect(await isAlive(provider, owner)).toBe(true);
  });

  soakIt('the session ends when the refresh token is revoked or used twice', async () => {
    const first = await connected();
    const body = new URLSearchParams({ client_id: APP, token: String(first.tokens['refresh_token']) });
    await provider.app.request('http://localhost:4100/oauth2/revoke', { method: 'POST', body });
    expect(await isAlive(provider, first.session)).toBe(false);
    const second = await connected();
    await refresh(provider, second.tokens['refresh_token']);
    provider.clock.time += 30_000;
    await refresh(provider, second.tokens['refresh_token']);
    expect(await isAlive(provider, second.session)).toBe(false);
    expect(await isAlive(provider, second.owner)).toBe(true);
  });

  soakIt('the session adds and removes nothing that would outlast the access', async () => {
    const { email, session } = await connected();
    const refused = [
      provider.post('/webauthn/register/start', { domain: 'localhost' }, { session }),
      provider.post('/otps/email/send/secondary', { email: uniqueEmail('added') }, { session }),
      provider.post('/passwords/session/reset', { password: 'correct horse battery staple' }, { session }),
      provider.post('/totps', { expiration_minutes: 60 }, { session }),
      consent(provider, session),
    ];
    for (const reply of await Promise.all(refused)) {
      expect([reply.status, reply.body['error_type']]).toEqual([403, 'unauthorized_action']);
    }
    // The user's own login with the app's session presented starts another session.
    const own = await provider.signIn(email, { session });
    expect(own['session_token']).not.toBe(session);
    expect(own['session']['authentication_factors']).toHaveLength(1);
  });

  soakIt('a second factor that the user enters in the session gives the app no separate session', async () => {
    const { owner, session } = await connected();
    const { secret } = await enrolTotp(provider, owner);
    const body = { totp_code: codeOf(provider, secret), ...MINUTES };
    const entered = await provider.post('/totps/authenticate', body, { session });
    expect(entered.status).toBe(200);
    const path = `/users/connected_apps/${APP}/revoke`;
    const stepped = String(entered.data['session_token']);
    expect((await provider.post(path, undefined, { session: stepped })).status).toBe(200);
    expect(await isAlive(provider, stepped)).toBe(false);
  });

  it('a user session that the app presents stays the user’s, and does not end with the access', async () => {
    const { owner, tokens } = await connected();
    const { access_token } = tokens;
    const body = { access_token, ...MINUTES };
    const made = await provider.post('/sessions/exchange_access_token', body, { session: owner });
    expect(made.status).toBe(200);
    await provider.post(`/users/connected_apps/${APP}/revoke`, undefined, { session: owner });
    expect(await isAlive(provider, made.data['session_token'])).toBe(false);
    expect(await isAlive(provider, owner)).toBe(true);
  });

  soakIt('an app that makes a session during the revocation does not keep it', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { owner, tokens } = await connected();
      const path = `/users/connected_apps/${APP}/revoke`;
      const [revoked, ...made] = await Promise.all([
        provider.post(path, undefined, { session: owner }),
        ...Array.from({ length: 6 }, () => exchange(provider, tokens['access_token'])),
        token(provider, { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] }),
      ]);
      expect(revoked.status).toBe(200);
      for (const reply of made) {
        if ('status' in reply) expect(Number(reply['status'])).toBeLessThan(500);
        const session = (reply['data'] as { session_token?: string } | undefined)?.session_token;
        if (session !== undefined) expect(await isAlive(provider, session)).toBe(false);
      }
    }
  });
});
