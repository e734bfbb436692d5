import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepSignUps } from '#provider/operation/retention/sign-ups.ts';
import { makeTarget, uniqueEmail } from '../attacks/attacker.ts';
import { EITHER_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { beginSignUp, enterBy, SIGN_UPS, signUpOptions } from '../kit/passkey-sign-up.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';

const DAY_MS = 24 * 60 * 60_000;
const UNKNOWN = { error_type: 'webauthn_challenge_not_found' };

describe.each(EITHER_DATABASE)('a sign-up with a passkey alone, on %s', (_, url) => {
  let provider: Provider;
  const { signIn, creation } = passkeySteps(() => provider);
  beforeAll(async () => {
    provider = await makeTarget(url, {}, SIGN_UPS);
  });
  afterAll(() => provider.close());

  const isThere = async (user_id: unknown): Promise<boolean> => {
    const { db } = provider.services;
    return (await db.selectFrom('users').select('user_id').where('user_id', '=', String(user_id)).execute()).length > 0;
  };

  it('is off unless the project allows it', async () => {
    const other = await makeProvider(url);
    const start = await other.post('/webauthn/sign_up/start', { domain: 'localhost', email: uniqueEmail('off') });
    const { public_key_credential } = await beginSignUp(provider, uniqueEmail('off'));
    const end = await other.post('/webauthn/sign_up', { public_key_credential, session_duration_minutes: 60 });
    await other.close();
    for (const { body } of [start, end]) expect(body).toMatchObject({ error_type: 'route_not_found' });
  });

  it('makes an active user with the passkey, and with an address that is none of their contacts', async () => {
    const email = uniqueEmail('new');
    const { key, finish } = await beginSignUp(provider, email);
    const { status, data } = await finish();
    expect(status).toBe(200);
    expect(data['user']).toMatchObject({ status: 'active', unproven_email: email, emails: [], phone_numbers: [] });
    expect(data['user'].webauthn_registrations).toHaveLength(1);
    expect(data['session'].authentication_factors.map(({ type }: { type: string }) => type)).toEqual(['webauthn']);
    const again = await enterBy(provider, key);
    expect([again.status, again.data['user_id']]).toEqual([200, data['user_id']]);
    expect((await provider.post('/otps/email/send/primary', { email })).body['error_type']).toBe('email_not_found');
    expect((await provider.post('/users/search', { email })).data).toMatchObject({ userType: 'new' });
  });

  it('asks for a passkey that verifies its user, named by the address, alike for known and unknown addresses', async () => {
    const known = uniqueEmail('known');
    await provider.signIn(known);
    const [one, other] = [await signUpOptions(provider, known), await signUpOptions(provider, uniqueEmail('unknown'))];
    expect(one['user']).toMatchObject({ name: known, displayName: known });
    expect(one['authenticatorSelection']).toMatchObject({ residentKey: 'required', userVerification: 'required' });
    const rest = ({ challenge: _challenge, user: _user, ...options }: typeof one) => options;
    expect(rest(one)).toEqual(rest(other));
  });

  it('refuses what is no address, another domain, and a passkey that did not verify its user', async () => {
    const start = (fields: object) =>
      provider.post('/webauthn/sign_up/start', { domain: 'localhost', email: uniqueEmail('wrong'), ...fields });
    expect((await start({ email: 'ada' })).body).toMatchObject({ error_type: 'invalid_email' });
    expect((await start({ domain: 'other.example' })).body).toMatchObject({ error_type: 'invalid_domain' });
    for (const fault of [{ verified: false }, { present: false }]) {
      const made = new SoftwareAuthenticator().create(await signUpOptions(provider, uniqueEmail('weak')), fault);
      const body = { public_key_credential: made, session_duration_minutes: 60 };
      expect((await provider.post('/webauthn/sign_up', body)).body).toMatchObject({
        error_type: 'webauthn_verification_failed',
      });
    }
  });

  it('accepts each challenge once, and only in the ceremony for which it was made', async () => {
    const { session_token: session } = await signIn();
    const { public_key_credential, finish } = await beginSignUp(provider, uniqueEmail('once'));
    const crossed = await provider.post('/webauthn/register', { public_key_credential }, { session });
    expect(crossed.body).toMatchObject(UNKNOWN);
    const replies = await Promise.all([finish(), finish(), finish()]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status, body }) => status === 200 || body['error_type'] === UNKNOWN.error_type)).toBe(true);
    const own = new SoftwareAuthenticator().create(await creation(session));
    const body = { public_key_credential: own, session_duration_minutes: 60 };
    expect((await provider.post('/webauthn/sign_up', body)).body).toMatchObject(UNKNOWN);
  });

  it('does not continue the session of another user in the browser', async () => {
    const { session_token: session, user_id } = await signIn();
    const { data } = await (await beginSignUp(provider, uniqueEmail('beside'), session)).finish();
    expect(data['user_id']).not.toBe(user_id);
    expect(data['user'].webauthn_registrations).toHaveLength(1);
    expect((await provider.call('GET', '/users/me', undefined, { session })).data['user_id']).toBe(user_id);
  });

  it('is swept like any sign-up that has proven nothing, and stays once it has', async () => {
    const [left, proven] = [uniqueEmail('left'), uniqueEmail('proven')];
    const users = [];
    for (const email of [left, proven]) users.push((await (await beginSignUp(provider, email)).finish()).data);
    const session = String(users[1]?.['session_token']);
    const { data } = await provider.post('/otps/email/send/secondary', { email: proven }, { session });
    const token = (await provider.newest(proven))?.code;
    await provider.post(
      '/otps/authenticate',
      { token, method_id: data['method_id'], session_duration_minutes: 60 },
      { session },
    );
    provider.clock.time += 60 * DAY_MS;
    await provider.services.db.deleteFrom('sessions').execute();
    await sweepSignUps(provider.services, 1000);
    expect(await Promise.all(users.map(({ user_id }) => isThere(user_id)))).toEqual([false, true]);
  });
});
