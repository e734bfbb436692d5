import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { browser } from '../kit/oauth-harness.ts';
import { CHALLENGED, enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { newestLink, press } from '../notices/steps.ts';
import { consent, isAlive, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** A second factor guards the account whatever its kind is: also a passkey or a number, without an authenticator app. */

const PASSWORD = 'correct horse battery staple 42';
const OTHER = 'a wholly different phrase of mine';
const HOUR_MS = 3_600_000;
const settings = {
  mfa: {
    policy: 'when_enrolled',
    factors: ['totp', 'webauthn', 'recovery_code', 'sms'],
    trusted_devices: { days: 30 },
    recovery_hours: 24,
  },
  notices: { factors: true },
};

const KINDS = ['passkey', 'number'] as const;
type Kind = (typeof KINDS)[number];

interface Owner {
  readonly email: string;
  readonly user_id: string;
  /** A session that proved both factors. */
  readonly session: string;
  readonly key: SoftwareAuthenticator;
  readonly number: string;
}

let numbers = 0;

async function makeOwner(provider: Provider, kind: Kind): Promise<Owner> {
  const email = uniqueEmail('owner');
  const { user_id, session_token } = await provider.signIn(email);
  let session = String(session_token);
  const inSession = async (path: string, body: Fields) => {
    const reply = await provider.post(path, body, { session });
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    session = String(reply.data['session_token'] || session);
    return reply.data;
  };
  await inSession('/passwords/session/reset', { password: PASSWORD });
  provider.clock.time += 1000;
  const key = new SoftwareAuthenticator();
  numbers += 1;
  const number = `+1415555${String(2000 + numbers)}`;
  if (kind === 'passkey') {
    const asked = { domain: 'localhost', return_passkey_credential_options: true };
    const { public_key_credential_creation_options: options } = await inSession('/webauthn/register/start', asked);
    await inSession('/webauthn/register', { public_key_credential: key.create(JSON.parse(options) as Fields) });
  } else {
    const { method_id } = await inSession('/otps/sms/send/secondary', { phone_number: number });
    await inSession('/otps/authenticate', { token: (await provider.newest(number))?.code, method_id, ...MINUTES });
  }
  return { email, user_id: String(user_id), session, key, number };
}

/** Logs in with the passkey alone, which verifies its user. */
async function byPasskey(person: LoginBrowser, { key }: Owner) {
  const { data } = await person.post('/webauthn/authenticate/start/primary', {
    domain: 'localhost',
    return_passkey_credential_options: true,
  });
  const signed = key.get(JSON.parse(data['public_key_credential_request_options']) as Fields);
  return person.post('/webauthn/authenticate', { public_key_credential: signed, ...MINUTES });
}

describe.each(EITHER_DATABASE)('a second factor that is no authenticator app, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, { triesPerTotp: DEFAULT_LIMITS.triesPerTotp }, settings);
  });
  afterAll(() => provider.close());

  const byPassword = async (person: LoginBrowser, email: string, password = PASSWORD) =>
    person.post('/passwords/authenticate', { email, password, ...MINUTES });
  const asksForSecond = async ({ email }: Pick<Owner, 'email'>): Promise<boolean> => {
    const { data } = await enterEmail(provider, new LoginBrowser(provider), email);
    return data['session'] === null && data['mfa'] !== undefined;
  };
  const factorsOf = async ({ user_id }: Owner) => {
    const { db } = provider.services;
    const [keys, phones, accounts] = await Promise.all([
      db.selectFrom('webauthn_registrations').selectAll().where('user_id', '=', user_id).execute(),
      db.selectFrom('phone_numbers').selectAll().where('user_id', '=', user_id).execute(),
      db.selectFrom('oauth_registrations').selectAll().where('user_id', '=', user_id).execute(),
    ]);
    return [keys.length, phones.length, accounts.length];
  };

  /** A session that the password alone began, in a browser that the owner of a passkey trusts. */
  async function inTrustedBrowser(owner: Owner): Promise<string> {
    const person = new LoginBrowser(provider);
    person.fields = { ...person.fields, trust_device: true };
    await byPassword(person, owner.email);
    const { data } = await person.post('/webauthn/authenticate/start/secondary', { domain: 'localhost' });
    const signed = owner.key.get(JSON.parse(data['public_key_credential_request_options']) as Fields);
    await person.post('/webauthn/authenticate', { public_key_credential: signed, ...MINUTES });
    const { trusted_device_token } = person.fields;
    expect(trusted_device_token).toEqual(expect.any(String));
    const thief = new LoginBrowser(provider);
    thief.fields = { ...thief.fields, trusted_device_token };
    const entered = await byPassword(thief, owner.email);
    expect(entered.data['session'].authentication_factors.map((factor: Fields) => factor['type'])).toEqual([
      'password',
      'trusted_device',
    ]);
    return String(entered.data['session_token']);
  }

  it('by text ends the login after five wrong codes, also with the right one of another text', async () => {
    const { email, number } = await makeOwner(provider, 'number');
    const thief = new LoginBrowser(provider);
    const begun = await byPassword(thief, email);
    const [phone] = begun.data['mfa'].phone_numbers as readonly Fields[];
    const text = async () => {
      const { data } = await thief.post('/mfa/send_code', { phone_id: phone?.['phone_id'], channel: 'sms' });
      return String(data['method_id']);
    };
    const enter = async (method_id: string, token: string) =>
      (await thief.post('/otps/authenticate', { token, method_id, ...MINUTES })).body['error_type'];
    const first = await text();
    const wrong = (await provider.newest(number))?.code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 4; tries += 1) expect(await enter(first, wrong)).toBe('otp_code_not_found');
    const second = await text();
    expect(await enter(second, wrong)).toBe('otp_code_not_found');
    expect(await enter(second, wrong)).toBe('too_many_mfa_attempts');
    const { code = '' } = (await provider.newest(number)) ?? {};
    // It is the first factor of another login now.
    const { data } = await thief.post('/otps/authenticate', { token: code, method_id: second, ...MINUTES });
    expect([data['session'], await asksForSecond({ email })]).toEqual([null, true]);
  });

  soakIt('cannot be removed in a session that a trusted browser began, nor an access that lasts be given', async () => {
    const owner = await makeOwner(provider, 'passkey');
    const session = await inTrustedBrowser(owner);
    const { data: me } = await provider.call('GET', '/users/me', undefined, { session });
    const id = me['webauthn_registrations'][0].webauthn_registration_id;
    const removed = await provider.call('DELETE', `/users/webauthn_registrations/${id}`, undefined, { session });
    expect([removed.status, removed.body['error_type']]).toEqual([403, 'mfa_required']);
    expect((await consent(provider, session)).body['error_type']).toBe('mfa_required');
    expect(await asksForSecond(owner)).toBe(true);
  });

  soakIt('by text is proved in a session that lacks it, by a number that the user has and by no other', async () => {
    const owner = await makeOwner(provider, 'number');
    const person = new LoginBrowser(provider);
    const { data: login } = await byPassword(person, owner.email);
    const { phone_id } = login['mfa'].phone_numbers[0] as Fields;
    const { data: first } = await person.post('/mfa/send_code', { phone_id, channel: 'sms' });
    const token = async () => (await provider.newest(owner.number))?.code;
    const entered = { token: await token(), method_id: first['method_id'], trust_device: true, ...MINUTES };
    await person.post('/otps/authenticate', entered);
    const { trusted_device_token } = person.fields;
    const trusted = new LoginBrowser(provider);
    trusted.fields = { ...trusted.fields, trusted_device_token };
    const session = String((await byPassword(trusted, owner.email)).data['session_token']);
    const send = (phone_number: string) => provider.post('/otps/sms/send/secondary', { phone_number }, { session });
    expect((await send('+14155551999')).body['error_type']).toBe('mfa_required');
    const endOthers = async (of: string) => provider.post('/users/sessions/revoke_others', {}, { session: of });
    expect((await endOthers(session)).body['error_type']).toBe('mfa_required');
    const sent = await send(owner.number);
    expect(sent.status).toBe(200);
    const body = { token: await token(), method_id: sent.data['method_id'], ...MINUTES };
    const proved = await provider.post('/otps/authenticate', body, { session });
    expect((await endOthers(String(proved.data['session_token']))).status).toBe(200);
  });

  soakIt('is asked for in a session that a trusted browser began, once the trust is over', async () => {
    const owner = await makeOwner(provider, 'passkey');
    const session = await inTrustedBrowser(owner);
    const refresh = async () =>
      (await provider.post('/sessions/authenticate', { ...MINUTES, ...CHALLENGED }, { session })).data['session'];
    expect(await refresh()).not.toBeNull();
    provider.clock.time += 31 * 24 * HOUR_MS;
    const { db } = provider.services;
    const expires_at = new Date(provider.clock.time + HOUR_MS);
    await db.updateTable('sessions').set({ expires_at }).where('user_id', '=', owner.user_id).execute();
    expect(await refresh()).toBeNull();
    expect((await consent(provider, session, ['openid'])).body['error_type']).toBe('mfa_required');
    // Nor does the first factor, entered again in that session, bring the trust back.
    const { method_id, code } = await provider.sendCode(owner.email);
    const first = { token: code, method_id, ...MINUTES, ...CHALLENGED };
    const again = await provider.post('/otps/authenticate', first, { session });
    expect(again.data['session']).toBeNull();
  });

  it.each(KINDS)('(%s) keeps a thief of the password from changing it', async (kind) => {
    const owner = await makeOwner(provider, kind);
    const reset = { email: owner.email, existing_password: PASSWORD, new_password: OTHER, ...MINUTES };
    const reply = await new LoginBrowser(provider).post('/passwords/existing_password/reset', reset);
    expect([reply.status, reply.body['error_type']]).toEqual([403, 'mfa_required']);
    expect(await isAlive(provider, owner.session)).toBe(true);
    expect((await byPassword(new LoginBrowser(provider), owner.email)).status).toBe(200);
  });

  it.each(oneOf(2, KINDS))('(%s) keeps a thief of the mailbox from adding a social account', async (kind) => {
    const owner = await makeOwner(provider, kind);
    const before = await factorsOf(owner);
    const visitor = browser(provider);
    const landed = await visitor.get(await visitor.callback('google', { email: owner.email, verified: 'yes' }));
    const token = new URL(landed.headers.get('location') ?? 'http://none').searchParams.get('token');
    const { data } = await new LoginBrowser(provider).post('/oauth/authenticate', { token, ...MINUTES });
    expect(data['session']).toBeNull();
    expect(await factorsOf(owner)).toEqual(before);
  });

  it.each(oneOf(2, KINDS, 1))('(%s) is not removed by the mailbox alone, through a notice', async (kind) => {
    const owner = await makeOwner(provider, kind);
    const before = await factorsOf(owner);
    const link = await newestLink(provider, owner.email);
    if (link === null) throw new Error('The owner was not told.');
    expect((await press(provider, link, 'undo')).status).toBe(200);
    expect(await factorsOf(owner)).toEqual(before);
    expect(await asksForSecond(owner)).toBe(true);
  });

  soakIt('that an intruder added lets them in no more once it is undone, and goes when the wait is over', async () => {
    const owner = await makeOwner(provider, 'passkey');
    expect((await byPasskey(new LoginBrowser(provider), owner)).data['session']).not.toBeNull();
    const link = await newestLink(provider, owner.email);
    if (link === null) throw new Error('The owner was not told.');
    await press(provider, link, 'undo');
    const intruder = await byPasskey(new LoginBrowser(provider), owner);
    expect([intruder.status, intruder.body['error_type']]).toEqual([404, 'webauthn_registration_not_found']);
    // The wait begins when the owner is told.
    expect(await newestLink(provider, owner.email)).not.toBeNull();
    provider.clock.time += 25 * HOUR_MS;
    const finish = await newestLink(provider, owner.email);
    if (finish === null) throw new Error('The owner was not told that the wait is over.');
    await press(provider, finish, 'finish');
    expect((await factorsOf(owner))[0]).toBe(0);
    expect(await asksForSecond(owner)).toBe(false);
  });

  soakIt('that its user added lets them in again once the recovery is stopped', async () => {
    const owner = await makeOwner(provider, 'passkey');
    const link = await newestLink(provider, owner.email);
    if (link === null) throw new Error('The owner was not told.');
    await press(provider, link, 'undo');
    const stop = await newestLink(provider, owner.email);
    if (stop === null) throw new Error('The owner was not told of the recovery.');
    expect((await press(provider, stop, 'stop')).status).toBe(200);
    expect((await byPasskey(new LoginBrowser(provider), owner)).data['session']).not.toBeNull();
  });
});
