import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { browser } from '../kit/oauth-harness.ts';
import { attachSteps } from './attach-steps.ts';
import {
  APP,
  codeOf,
  consent,
  enrolTotp,
  isAlive,
  makeTarget,
  MINUTES,
  redeemCode,
  refresh,
  secondAddress,
  uniqueEmail,
  wallet,
} from './attacker.ts';
import { intrusionsOf, REMOVABLE, type Removable } from './intruder.ts';
import { tokenOf } from './session-steps.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * The owner finds that a stranger can log in, by a mailbox, passkey, wallet, number or social account in wrong hands, and removes
 * it. Whoever logged in by it is out, with all that they began.
 */

const PASSWORD = 'correct horse battery staple 42';

describe.each(EITHER_DATABASE)('a login method that the owner removes, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const { me, remove, fromBackend, intruded, appOf, isAppOut } = intrusionsOf(() => provider);

  it.each(oneOf(4, Object.entries(REMOVABLE)))(
    'takes the sessions, apps and codes of whoever logged in by %s',
    async (__, how) => {
      const { owner, added, thief, id } = await intruded(how);
      const app = await appOf(tokenOf(thief));
      const code = (await consent(provider, tokenOf(thief))).data['authorization_code'];
      const pending = secondAddress(provider);
      const finishLater = await pending.begin(tokenOf(thief));
      expect((await remove(owner, how.path, id)).status).toBe(200);
      expect(await isAlive(provider, thief['session_token'])).toBe(false);
      expect(await isAlive(provider, thief['session_jwt'])).toBe(false);
      expect(await isAlive(provider, added)).toBe(false);
      expect(await isAlive(provider, owner)).toBe(true);
      expect(await isAppOut(app)).toBe(true);
      expect((await redeemCode(provider, code))['error']).toBe('invalid_grant');
      expect((await finishLater(owner)).status).toBeGreaterThanOrEqual(400);
      const path = '/users/connected_apps';
      expect((await provider.call('GET', path, undefined, { session: owner })).data['connected_apps']).toEqual([]);
      const reset = { password: PASSWORD, ...MINUTES };
      expect((await provider.post('/passwords/session/reset', reset, { session: tokenOf(thief) })).status).toBe(401);
      expect(provider.traces).toEqual([]);
    },
  );

  // The same deletion, whoever asks for it.
  it.each(oneOf(4, Object.entries(REMOVABLE), 1))(
    'does so where the app’s own server removes %s, which keeps no session',
    async (__, how) => {
      const { owner, added, thief, id } = await intruded(how);
      const app = await appOf(tokenOf(thief));
      expect(await fromBackend('DELETE', `/users/${how.path}/${id}`)).toBe(200);
      expect(await isAlive(provider, thief['session_token'])).toBe(false);
      expect(await isAlive(provider, added)).toBe(false);
      expect(await isAlive(provider, owner)).toBe(true);
      expect(await isAppOut(app)).toBe(true);
    },
  );

  soakIt('ends an attach of every other session, also when the social provider has answered', async () => {
    const steps = attachSteps(provider);
    const how = REMOVABLE['a passkey'] as Removable;
    for (const stage of ['begun', 'answered']) {
      const { owner, email, thief, id } = await intruded(how);
      // A session by another login method outlives the removal.
      const other = tokenOf(await provider.signIn(email));
      const token = await steps.begin(other);
      const answered = stage === 'answered' ? await steps.goThere(token) : null;
      const own = await steps.goThere(await steps.begin(owner));
      expect((await remove(owner, how.path, id)).status).toBe(200);
      expect([await isAlive(provider, thief['session_token']), await isAlive(provider, other)]).toEqual([false, true]);
      if (answered === null) await expect(steps.goThere(token)).rejects.toThrow();
      else expect((await steps.finish(answered, other)).status).toBeGreaterThanOrEqual(400);
      expect(await steps.accountsOf(String((await me(owner))['user_id']))).toBe(0);
      // The owner's own as well, which begins again: whoever began it is not known.
      expect((await steps.finish(own, owner)).status).toBe(404);
      const again = await steps.goThere(await steps.begin(owner));
      expect((await steps.finish(again, owner)).status).toBe(200);
    }
  });

  soakIt('leaves the session in which it is removed, although that stands on it', async () => {
    const { added, thief, id } = await intruded(REMOVABLE['a passkey'] as Removable);
    expect((await remove(added, 'webauthn_registrations', id)).status).toBe(200);
    expect(await isAlive(provider, added)).toBe(true);
    expect(await isAlive(provider, thief['session_token'])).toBe(false);
  });

  it('ends an app whose session is over already, and leaves what the owner gave the same app elsewhere', async () => {
    const how = REMOVABLE['a mailbox'] as Removable;
    const { owner, thief, id, email } = await intruded(how);
    const own = await appOf(owner);
    const theirs = await appOf(tokenOf(thief));
    expect((await provider.post('/sessions/revoke', undefined, { session: tokenOf(thief) })).status).toBe(200);
    // With offline_access the app goes on without the session, as the stranger wanted.
    const refreshed = await refresh(provider, theirs.tokens['refresh_token']);
    expect(refreshed['access_token']).toEqual(expect.any(String));
    expect((await remove(owner, how.path, id)).status).toBe(200);
    expect((await refresh(provider, refreshed['refresh_token']))['error']).toBe('invalid_grant');
    expect(await isAlive(provider, theirs.made)).toBe(false);
    expect(await isAlive(provider, own.made)).toBe(true);
    expect((await refresh(provider, own.tokens['refresh_token']))['access_token']).toEqual(expect.any(String));
    expect(await isAlive(provider, tokenOf(await provider.signIn(email)))).toBe(true);
  });

  it('takes back a consent that only the stranger gave, so that no app gets in without a question', async () => {
    const { owner, thief, id } = await intruded(REMOVABLE['a wallet'] as Removable);
    await consent(provider, tokenOf(thief), ['openid', 'email']);
    expect((await remove(owner, 'crypto_wallets', id)).status).toBe(200);
    const asked = { client_id: APP, redirect_uri: 'https://planner.example/callback', response_type: 'code' };
    const body = { ...asked, scopes: ['openid', 'email'] };
    const started = await provider.post('/idp/oauth/authorize/start', body, { session: owner });
    expect(started.data['consent_required']).toBe(true);
  });

  it('ends the sessions of a social account, and of an address that such an account named', async () => {
    const email = uniqueEmail('social');
    const owner = tokenOf(await provider.signIn(email));
    const person = browser(provider);
    const login = async (): Promise<string> => {
      const token = await person.token('google', { email, verified: 'yes' });
      return tokenOf((await provider.post('/oauth/authenticate', { token, ...MINUTES })).data);
    };
    const [one, two] = [await login(), await login()];
    const [registration] = (await me(owner))['providers'] as Fields[];
    const id = registration?.['oauth_user_registration_id'];
    await (
      await secondAddress(provider).begin(owner)
    )();
    const fresh = tokenOf(await provider.signIn(email));
    expect((await remove(fresh, 'oauth', id)).status).toBe(200);
    expect([await isAlive(provider, one), await isAlive(provider, two)]).toEqual([false, false]);
    const third = await login();
    const address = ((await me(fresh))['emails'] as Fields[]).find((each) => each['email'] === email);
    expect((await remove(fresh, 'emails', address?.['email_id'])).status).toBe(200);
    expect(await isAlive(provider, third)).toBe(false);
    expect(await isAlive(provider, fresh)).toBe(true);
  });

  soakIt('ends the sessions of an authenticator app', async () => {
    const email = uniqueEmail('totp');
    const { session, secret, totp_id } = await enrolTotp(provider, tokenOf(await provider.signIn(email)));
    const other = tokenOf(await provider.signIn(email));
    const entered = await provider.post(
      '/totps/authenticate',
      { totp_code: codeOf(provider, secret), ...MINUTES },
      { session: other },
    );
    const weak = tokenOf(await provider.signIn(email));
    expect((await remove(session, 'totps', totp_id)).status).toBe(200);
    expect(await isAlive(provider, entered.data['session_token'])).toBe(false);
    expect(await isAlive(provider, weak)).toBe(true);
    expect(await isAlive(provider, session)).toBe(true);
  });

  soakIt('ends the sessions of a password that goes with the last address', async () => {
    const email = uniqueEmail('password');
    const owner = tokenOf(await provider.signIn(email));
    const set = await provider.post('/passwords/session/reset', { password: PASSWORD, ...MINUTES }, { session: owner });
    const key = wallet(provider);
    const added = await (await key.begin(tokenOf(set.data)))();
    const body = { email, password: PASSWORD, ...MINUTES };
    const thief = tokenOf((await provider.post('/passwords/authenticate', body)).data);
    const session = tokenOf(added.data);
    const [address] = (await me(session))['emails'] as Fields[];
    expect((await remove(session, 'emails', address?.['email_id'])).status).toBe(200);
    expect(await isAlive(provider, thief)).toBe(false);
    expect(await isAlive(provider, session)).toBe(true);
  });

  it('ends a code that the app’s own server vouched for, as everything that was begun before', async () => {
    const email = uniqueEmail('vouched');
    const { owner, id } = await intruded(REMOVABLE['a wallet'] as Removable);
    const { user_id } = await me(owner);
    const authorization = basic(provider.services.project.project_id, DEV_SECRET);
    const sent = await provider.app.request(`${BACKEND_PREFIX}/otps/email/send`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ email, user_id }),
    });
    const { email_id } = (await sent.json()) as Fields;
    expect((await remove(owner, 'crypto_wallets', id)).status).toBe(200);
    provider.clock.time += MINUTE;
    const code = (await provider.newest(email))?.code;
    const used = await provider.app.request(`${BACKEND_PREFIX}/otps/authenticate`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ method_id: email_id, code }),
    });
    expect(used.status).toBe(404);
  });
});
