import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, EITHER_DATABASE, otherThan, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { CHALLENGED, enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { codeOf, fromServer, isAlive, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const mfa = {
  policy: 'when_enrolled',
  factors: ['totp', 'webauthn', 'sms', 'recovery_code'],
  trusted_devices: { days: 30 },
};
/** In soaks the limit of the product, else a smaller one. */
const DAILY_TRIES = { ...DEFAULT_LIMITS.dailyTriesPerTotp, ...(SOAK ? {} : { max: 15 }) };
const GONE = [401, 'intermediate_session_not_found'];

describe.each(EITHER_DATABASE)('a login that lacks the second factor, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const { triesPerTotp } = DEFAULT_LIMITS;
    provider = await makeTarget(url, { triesPerTotp, dailyTriesPerTotp: DAILY_TRIES }, { mfa });
  });
  afterAll(() => provider.close());

  const start = async () => {
    const user = await makeGuarded(provider, uniqueEmail('guarded'));
    const browser = new LoginBrowser(provider);
    const first = await enterEmail(provider, browser, user.email);
    return { user, browser, user_id: String(first.data['user_id']) };
  };
  const enter = (browser: Pick<LoginBrowser, 'post'>, secret: string, fields: Fields = {}) =>
    browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES, ...fields });
  const outcome = async (reply: ReturnType<typeof enter>) => {
    const { status, body } = await reply;
    return [status, body['error_type']];
  };
  const live = async (user_id: string) =>
    provider.services.db.selectFrom('sessions').select('session_id').where('user_id', '=', user_id).execute();

  it('goes on in the browser that began it alone', async () => {
    const { user, browser } = await start();
    const { intermediate_session_token } = browser.fields;
    for (const stolen of [
      { intermediate_session_token },
      { intermediate_session_token, mfa_code_verifier: 'x'.repeat(64) },
      { ...browser.fields, mfa_code_verifier: undefined },
    ]) {
      const body = { totp_code: codeOf(provider, user.secret), ...MINUTES, ...stolen };
      expect(await outcome(provider.post('/totps/authenticate', body))).toEqual(GONE);
    }
    const server = { user_id: 'x', intermediate_session_token, totp_code: codeOf(provider, user.secret) };
    expect((await fromServer(provider, '/totps/authenticate', server)).status).not.toBe(200);
    expect((await enter(browser, user.secret)).status).toBe(200);
  });

  soakIt('becomes one session, however many requests complete it at once', async () => {
    const { user, browser, user_id } = await start();
    const before = (await live(user_id)).length;
    const replies = await Promise.all(Array.from({ length: 10 }, async () => outcome(enter(browser, user.secret))));
    expect(replies.filter(([status]) => status === 200)).toHaveLength(1);
    expect(await live(user_id)).toHaveLength(before + 1);
  });

  const ENDINGS: Readonly<Record<string, (session: string, user_id: string) => Promise<unknown>>> = {
    'the revocation of the other sessions by the user': async (session) =>
      provider.post('/users/sessions/revoke_others', {}, { session }),
    'the revocation of all sessions by the server': async (_session, user_id) =>
      fromServer(provider, '/sessions/revoke_all', { user_id }),
    'the user': async (_session, user_id) =>
      provider.services.db.deleteFrom('users').where('user_id', '=', user_id).execute(),
    'a new password': async (session) =>
      provider.post('/passwords/session/reset', { password: 'a wholly different phrase of mine' }, { session }),
    'the removal of an app': async (session) => {
      const { data } = await provider.call('GET', '/users/me', undefined, { session });
      return provider.call('DELETE', `/users/totps/${data['totps'][0].totp_id}`, undefined, { session });
    },
  };
  it.each(oneOf(3, Object.entries(ENDINGS)))('ends with %s', async (name, end) => {
    const { user, browser, user_id } = await start();
    const ended = (await end(user.session, user_id)) as { readonly status?: number; readonly body?: Fields };
    expect(ended.status ?? 200, `${name}: ${JSON.stringify(ended.body)}`).toBe(200);
    provider.clock.time += 30_000;
    expect(await outcome(enter(browser, user.secret)), name).toEqual(GONE);
  });

  soakIt('ends with a reset in the middle of it', async () => {
    const { user, browser } = await start();
    const other = new LoginBrowser(provider);
    await other.post('/passwords/email/reset/start', { email: user.email });
    const token = new URL((await provider.newest(user.email))?.link ?? '').searchParams.get('token');
    const reset = await other.post('/passwords/email/reset', { token, password: 'a wholly new phrase', ...MINUTES });
    expect(reset.data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'] } });
    expect(await isAlive(provider, user.session)).toBe(false);
    expect(await outcome(enter(browser, user.secret))).toEqual(GONE);
    expect((await enter(other, user.secret)).status).toBe(200);
  });

  it('is refused to a user whom an operator locked out in the middle of it', async () => {
    const { user, browser, user_id } = await start();
    const locked_at = new Date(provider.clock.time);
    await provider.services.db.updateTable('users').set({ locked_at }).where('user_id', '=', user_id).execute();
    expect((await enter(browser, user.secret)).body['error_type']).toBe('user_locked');
  });

  it('ends after too many wrong codes, also with the right one', async () => {
    const { user, browser } = await start();
    const wrong = { totp_code: otherThan(codeOf(provider, user.secret)) };
    for (let tries = 0; tries < 5; tries += 1) await enter(browser, user.secret, wrong);
    expect(await outcome(enter(browser, user.secret))).toEqual([429, 'too_many_mfa_attempts']);
    expect(await outcome(enter(browser, user.secret))).toEqual(GONE);
  });

  soakIt('is not dropped by a thief of the first factor who begins many', async () => {
    const { user, browser, user_id } = await start();
    const socket = { remoteAddress: '198.51.100.7' };
    const thief = {
      post: async (path: string, fields?: unknown) => {
        const headers = { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' };
        const request = { method: 'POST', headers, body: JSON.stringify(fields) };
        const reply = await provider.app.request(`/sdk/v1${path}`, request, { incoming: { socket } });
        const body = (await reply.json()) as Fields;
        return { status: reply.status, headers: reply.headers, body, data: (body['data'] ?? {}) as Fields };
      },
    };
    for (let logins = 0; logins < 15; logins += 1) {
      const { method_id, code } = await provider.sendCode(user.email);
      const begun = await new LoginBrowser(thief).post('/otps/authenticate', { token: code, method_id, ...MINUTES });
      expect(begun.data['session']).toBeNull();
    }
    const { db } = provider.services;
    const waiting = await db
      .selectFrom('intermediate_sessions')
      .select(({ fn }) => fn.countAll().as('logins'))
      .where('user_id', '=', user_id)
      .groupBy('network')
      .execute();
    // The owner's, and of the thief's network no more than ten.
    expect(waiting.map(({ logins }) => Number(logins)).sort((a, b) => a - b)).toEqual([1, 10]);
    expect((await enter(browser, user.secret)).status).toBe(200);
  });

  soakIt('guesses no more of a user’s codes in a day, however many logins begin', async () => {
    const { user } = await start();
    const refusals = new Set<unknown>();
    let guesses = 0;
    for (let logins = 0; logins < DAILY_TRIES.max / 5 + 2; logins += 1) {
      const browser = new LoginBrowser(provider);
      await enterEmail(provider, browser, user.email);
      for (let tries = 0; tries < 5; tries += 1) {
        const [, type] = await outcome(
          enter(browser, user.secret, { totp_code: otherThan(codeOf(provider, user.secret)) }),
        );
        if (type === 'otp_code_not_found') guesses += 1;
        refusals.add(type);
      }
    }
    expect(guesses).toBeLessThanOrEqual(DAILY_TRIES.max);
    expect(refusals).toContain('too_many_mfa_attempts');
  });

  soakIt('is completed by no passkey that does not verify its user, and by none of another user', async () => {
    const own = await addPasskey(provider, await makeGuarded(provider, uniqueEmail('own')));
    const other = await addPasskey(provider, await makeGuarded(provider, uniqueEmail('other')));
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, own.email);
    const sign = async (key: SoftwareAuthenticator, faults = {}) => {
      const { data } = await browser.post('/webauthn/authenticate/start/secondary', { domain: 'localhost' });
      const asked = JSON.parse(data['public_key_credential_request_options']) as Fields;
      return outcome(
        browser.post('/webauthn/authenticate', { public_key_credential: key.get(asked, faults), ...MINUTES }),
      );
    };
    expect(await sign(own.key, { verified: false })).toEqual([400, 'webauthn_verification_failed']);
    expect(await sign(other.key)).toEqual([404, 'webauthn_registration_not_found']);
    expect((await sign(own.key))[0]).toBe(200);
  });

  it('enrols no second factor for a user who has one', async () => {
    const { browser } = await start();
    const starts: readonly [string, Fields][] = [
      ['/totps', { expiration_minutes: 60 }],
      ['/webauthn/register/start', { domain: 'localhost' }],
      ['/mfa/add_phone', { phone_number: '+14155550142', channel: 'sms' }],
    ];
    for (const [path, body] of starts) {
      expect(await outcome(browser.post(path, body)), path).toEqual([403, 'mfa_factor_not_allowed']);
    }
  });

  it('is spared by no trust that a mailbox alone asks for, before the user or the project has a second factor', async () => {
    const email = uniqueEmail('unguarded');
    const browser = new LoginBrowser(provider);
    const session = String((await enterEmail(provider, browser, email)).data['session_token']);
    const again = { ...(await codeFor(email)), trust_device: true };
    const { data } = await provider.post('/otps/authenticate', again, { session });
    const link = { token: await provider.sendLink(email), trust_device: true, ...MINUTES };
    const linked = await provider.post('/magic_links/authenticate', link, { session: String(data['session_token']) });
    expect(linked.data['session'].authentication_factors).toHaveLength(2);
    expect([data['trusted_device_token'], linked.data['trusted_device_token']]).toEqual([undefined, undefined]);
  });

  soakIt('is spared in a trusted browser, until a login method changes', async () => {
    const { user, browser } = await start();
    const done = await enter(browser, user.secret, { trust_device: true });
    const trusted_device_token = String(done.data['trusted_device_token']);
    const again = async () =>
      (await provider.post('/otps/authenticate', { ...(await codeFor(user.email)), trusted_device_token })).data;
    const spared = await again();
    expect(spared['session'].authentication_factors.map(({ type }: Fields) => type)).toEqual(['otp', 'trusted_device']);
    const stranger = await makeGuarded(provider, uniqueEmail('stranger'));
    const other = await provider.post('/otps/authenticate', {
      ...(await codeFor(stranger.email)),
      trusted_device_token,
    });
    expect(other.data['session']).toBeNull();
    // The trust is no proof of the second factor.
    const codes = await provider.post(
      '/passwords/session/reset',
      { password: 'x y z' },
      { session: String(spared['session_token']) },
    );
    expect(codes.body['error_type']).toBe('mfa_required');
    const session = String(done.data['session_token']);
    expect(
      (await provider.call('GET', '/users/me/trusted_devices', undefined, { session })).data['devices'],
    ).toHaveLength(1);
    await provider.post('/passwords/session/reset', { password: 'a wholly different phrase of mine' }, { session });
    expect((await again())['session']).toBeNull();
  });

  soakIt('is asked for again once the user removes the trusted browser, whose session ends', async () => {
    const { user, browser } = await start();
    const done = await enter(browser, user.secret, { trust_device: true });
    const { trusted_device_token, session_token } = done.data;
    const login = async () =>
      (await provider.post('/otps/authenticate', { ...(await codeFor(user.email)), trusted_device_token })).data;
    const spared = await login();
    const session = String(session_token);
    const { data } = await provider.call('GET', '/users/me/trusted_devices', undefined, { session });
    const path = `/users/me/trusted_devices/${String(data['devices'][0].device_id)}`;
    expect((await provider.call('DELETE', path, undefined, { session })).status).toBe(200);
    expect(await isAlive(provider, spared['session_token'])).toBe(false);
    expect((await login())['session']).toBeNull();
  });

  it('leaves a session that lost the policy nothing but the second factor', async () => {
    const email = uniqueEmail('raised');
    const { session_token, user_id } = await provider.signIn(email);
    const session = String(session_token);
    const put = await provider.app.request(`/v1/users/${String(user_id)}`, {
      method: 'PUT',
      headers: {
        authorization: basic(provider.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ mfa_policy: 'required' }),
    });
    expect(((await put.json()) as Fields)['user'].mfa_policy).toBe('required');
    const me = await provider.call('GET', '/users/me', undefined, { session });
    expect([me.status, me.body['error_type']]).toEqual([403, 'mfa_required']);
    expect((await fromServer(provider, '/sessions/authenticate', { session_token })).body['error_type']).toBe(
      'mfa_required',
    );
    const browser = new LoginBrowser(provider);
    const step = await provider.post('/sessions/authenticate', browser.fields, { session });
    expect(step.data).toMatchObject({ session: null, mfa: { factors: [], enrol: ['webauthn', 'totp', 'sms'] } });
    browser.fields = {
      intermediate_session_token: step.data['intermediate_session_token'],
      mfa_code_verifier: browser.verifier,
    };
    const { data } = await browser.post('/totps', { expiration_minutes: 60 });
    const done = await enter(browser, String(data['secret']));
    expect(done.data['session'].authentication_factors).toHaveLength(2);
    expect(await isAlive(provider, session)).toBe(false);
    expect(await isAlive(provider, done.data['session_token'])).toBe(true);
  });

  const codeFor = async (email: string) => {
    const { method_id, code } = await provider.sendCode(email);
    return { token: code, method_id, ...MINUTES, ...CHALLENGED };
  };
});

async function addPasskey(provider: Provider, user: { readonly session: string; readonly email: string }) {
  const key = new SoftwareAuthenticator();
  const { session, email } = user;
  const asked = { domain: 'localhost', return_passkey_credential_options: true };
  const { data } = await provider.post('/webauthn/register/start', asked, { session });
  const made = key.create(JSON.parse(data['public_key_credential_creation_options']) as Fields);
  const reply = await provider.post('/webauthn/register', { public_key_credential: made }, { session });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return { key, email };
}
