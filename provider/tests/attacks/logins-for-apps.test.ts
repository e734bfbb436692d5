import { decodeJwt, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { as, makeApps, type Apps } from '../kit/idp-harness.ts';
import { passkey, phone, plantAll, secondAddress, uniqueEmail, wallet } from './attacker.ts';
import { oneOf } from '#tests/soak.ts';

/**
 * An app asks for a fresh login before something that matters (OpenID Connect Core 1.0, section 3.1.2.1). Whoever holds a stolen session can
 * add a login method and prove that: it is no login of the user, who proves what they had before.
 */

const STAFF = {
  profile_id: 'staff',
  issuer: 'https://issuer.example',
  audience: 'here',
  email_domains: ['example.com'],
};
const issuer = await generateKeyPair('RS256', { extractable: true });
const FRESH: readonly Fields[] = [{ prompt: 'login' }, { max_age: '0' }, { max_age: '60' }];

describe.each(EITHER_DATABASE)('the fresh login for an app, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    const public_key = await exportSPKI(issuer.publicKey);
    apps = await makeApps(url, { trusted_auth_token_profiles: [{ ...STAFF, public_key }] });
  });
  afterAll(() => apps.provider.close());

  const DAY = 25 * 60 * MINUTE;
  /** A session that was stolen, of an account of some days. */
  const stolen = async () => {
    const { provider } = apps;
    const email = uniqueEmail('stolen');
    await provider.signIn(email);
    provider.clock.time += DAY;
    const session = String((await provider.signIn(email))['session_token']);
    provider.clock.time += 10 * MINUTE;
    return { email, session };
  };
  const refusalOf = async (asked: Fields, session_token: string) => {
    const replies = [await apps.start(asked, { session_token }), await apps.submit(asked, { session_token })];
    return replies.map(({ status, body }) =>
      status === 200 ? 'allowed' : `${String(body['error_type'])} ${String(body['error_details']?.['reason'])}`,
    );
  };
  const NEW = ['login_required new_method', 'login_required new_method'];
  const ALLOWED = ['allowed', 'allowed'];

  it.each(oneOf(3, FRESH))('is not made by what is added in the session: %j', async (fields) => {
    const { provider } = apps;
    const { email, session } = await stolen();
    const asked = await apps.arrive(fields);
    provider.clock.time += 1;
    const added = await plantAll(
      session,
      [wallet, passkey, phone, secondAddress].map((way) => way(provider)),
    );
    expect(await refusalOf(asked, added)).toEqual(NEW);
    provider.clock.time += 1;
    const owner = await provider.signIn(email, { session: added });
    expect(await refusalOf(asked, String(owner['session_token']))).toEqual(ALLOWED);
  });

  /** Adds an address of the thief; resolves with the session. */
  const addAddress = async (email: string, session: string): Promise<string> => {
    const { provider } = apps;
    const sent = await provider.post('/otps/email/send/secondary', { email }, { session });
    const code = { token: (await provider.newest(email))?.code, method_id: sent.data['method_id'] };
    const body = { ...code, session_duration_minutes: 60 };
    return String((await provider.post('/otps/authenticate', body, { session })).data['session_token']);
  };

  it('is not made by the token of an issuer who trusts an address that was added, for a day', async () => {
    const { provider } = apps;
    const { email, session } = await stolen();
    const thief = uniqueEmail('thief');
    const added = await addAddress(thief, session);
    const attest = async (named: string, extras = {}) => {
      const asked = await apps.arrive({ prompt: 'login' });
      provider.clock.time += 1;
      const now = Math.floor(provider.clock.time / 1000);
      const claims = { iss: STAFF.issuer, aud: STAFF.audience, iat: now, exp: now + 300, email: named };
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(issuer.privateKey);
      const body = { profile_id: STAFF.profile_id, token, session_duration_minutes: 60 };
      const { data } = await provider.post('/sessions/attest', body, extras);
      return refusalOf(asked, String(data['session_token']));
    };
    expect([await attest(thief, { session: added }), await attest(thief)]).toEqual([NEW, NEW]);
    provider.clock.time += DAY;
    expect([await attest(thief), await attest(email)]).toEqual([ALLOWED, ALLOWED]);
  });

  it('is not made by what was added, in a session that begins with it, for a day', async () => {
    const { provider } = apps;
    const { email, session } = await stolen();
    const thief = uniqueEmail('thief');
    await addAddress(thief, session);
    const logIn = async (address: string) => {
      const asked = await apps.arrive({ prompt: 'login' });
      provider.clock.time += 1;
      return refusalOf(asked, String((await provider.signIn(address))['session_token']));
    };
    expect([await logIn(thief), await logIn(email)]).toEqual([NEW, ALLOWED]);
    provider.clock.time += DAY;
    expect(await logIn(thief)).toEqual(ALLOWED);
  });

  it('is made by a password that the owner changed, by the link to an older address or soon after a login, and by no other one', async () => {
    const { provider } = apps;
    const password = 'tumbling-lanterns-over-quiet-water-41';
    const minutes = { session_duration_minutes: 60 };
    const email = uniqueEmail('stolen');
    await provider.post('/passwords', { email, password, ...minutes });
    await provider.signIn(email);
    provider.clock.time += DAY;
    const change = async (session: string, to: string) => {
      const set = await provider.post('/passwords/session/reset', { password: to, ...minutes }, { session });
      expect(set.status).toBe(200);
    };
    const logIn = async (by: string) => {
      const asked = await apps.arrive({ prompt: 'login' });
      provider.clock.time += 1;
      const { data } = await provider.post('/passwords/authenticate', { email, password: by, ...minutes });
      return refusalOf(asked, String(data['session_token']));
    };
    const session = String((await provider.signIn(email))['session_token']);
    await change(session, `${password}?`);
    expect(await logIn(`${password}?`)).toEqual(ALLOWED);
    const stolenLater = String((await provider.signIn(email))['session_token']);
    provider.clock.time += 11 * MINUTE;
    await change(stolenLater, `${password}!`);
    expect(await logIn(`${password}!`)).toEqual(NEW);
    await provider.post('/passwords/email/reset/start', { email });
    const token = new URL((await provider.newest(email))?.link ?? '').searchParams.get('token');
    await provider.post('/passwords/email/reset', { token, password, ...minutes });
    expect(await logIn(password)).toEqual(ALLOWED);
  });

  it('is made by what a user has who has nothing older, in another session than that of the addition', async () => {
    const { provider } = apps;
    const { session } = await stolen();
    const next = uniqueEmail('next');
    const added = await addAddress(next, session);
    const { emails } = (await provider.call('GET', '/users/me', undefined, { session: added })).data;
    const [first] = emails as readonly Fields[];
    await provider.call('DELETE', `/users/emails/${String(first?.['email_id'])}`, undefined, { session: added });
    const asked = await apps.arrive({ prompt: 'login' });
    provider.clock.time += 1;
    const again = String((await provider.signIn(next, { session: added }))['session_token']);
    expect(await refusalOf(asked, again)).toEqual(NEW);
    expect(await refusalOf(asked, String((await provider.signIn(next))['session_token']))).toEqual(ALLOWED);
  });

  it('is at the time of the last one in the ID token, whatever was added later', async () => {
    const { provider } = apps;
    const { session } = await stolen();
    const at = Math.floor((provider.clock.time - 10 * MINUTE) / 1000);
    const added = { session_token: await plantAll(session, [wallet(provider)]) };
    const { id_token } = (await apps.redeem({ code: await apps.codeFor({}, added) })).body;
    expect(decodeJwt(String(id_token))['auth_time']).toBe(at);
  });

  it('is made by a sign-up', async () => {
    const asked = await apps.arrive({ prompt: 'login' });
    apps.provider.clock.time += 1;
    const user = await apps.provider.signIn(uniqueEmail('new'));
    expect((await apps.submit(asked, user)).status).toBe(200);
    expect((await apps.provider.call('GET', '/users/me', undefined, as(user))).status).toBe(200);
  });
});
