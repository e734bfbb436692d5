import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeTarget, MINUTES, uniqueEmail } from '../attacks/attacker.ts';
import { EITHER_DATABASE, otherThan, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { soakIt } from '#tests/soak-tests.ts';

const settings = { mfa: { policy: 'when_enrolled' } };

describe.each(EITHER_DATABASE)('a login of a user with an authenticator app, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, settings);
  });
  afterAll(() => provider.close());

  const start = async () => {
    const user = await makeGuarded(provider, uniqueEmail('guarded'));
    const browser = new LoginBrowser(provider);
    return { user, browser, first: await enterEmail(provider, browser, user.email) };
  };
  const enter = (browser: LoginBrowser, secret: string, fields = {}) =>
    browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES, ...fields });

  it('ends with a step in the place of a session, and shows nothing of the user', async () => {
    const { first } = await start();
    expect(first.status).toBe(200);
    const { intermediate_session_token, method_id, request_id, user_id, ...rest } = first.data;
    expect([intermediate_session_token, method_id, request_id, user_id].map((each) => typeof each)).toEqual(
      Array.from({ length: 4 }, () => 'string'),
    );
    expect(rest).toEqual({
      status_code: 200,
      user: null,
      session: null,
      session_token: '',
      session_jwt: '',
      mfa: {
        factors: ['totp', 'recovery_code'],
        phone_numbers: [],
        enrol: [],
        expires_at: new Date(provider.clock.time + 600_000).toISOString(),
        trusted_device_days: null,
        recovery: { hours: 24 },
        recovery_pending: null,
      },
    });
  });

  it('becomes a session with both factors and the duration of the first step', async () => {
    const { user, browser, first } = await start();
    const { status, data } = await enter(browser, user.secret, { session_duration_minutes: 5 });
    expect(status).toBe(200);
    expect(data['user_id']).toBe(first.data['user_id']);
    expect(data['session'].authentication_factors.map((each: { type: string }) => each.type)).toEqual(['otp', 'totp']);
    expect(Date.parse(data['session'].expires_at) - provider.clock.time).toBe(60 * 60_000);
    const me = await provider.call('GET', '/users/me', undefined, { session: String(data['session_token']) });
    expect(me.status).toBe(200);
  });

  soakIt('is completed by a recovery code, once', async () => {
    const { user, browser } = await start();
    const body = { recovery_code: user.recovery_codes[0], ...MINUTES };
    expect((await browser.post('/totps/recover', body)).data['session']).toMatchObject({ user_id: expect.any(String) });
    const other = new LoginBrowser(provider);
    await enterEmail(provider, other, user.email);
    expect((await other.post('/totps/recover', body)).status).toBe(404);
  });

  it('shows its step again to a page that was loaded again, for ten minutes', async () => {
    const { browser, first } = await start();
    expect((await browser.post('/mfa/status')).data['mfa']).toEqual(first.data['mfa']);
    provider.clock.time += 600_000;
    const late = await browser.post('/mfa/status');
    expect([late.status, late.body['error_type']]).toEqual([401, 'intermediate_session_not_found']);
  });

  it('goes on after a wrong code, and works once', async () => {
    const { user, browser } = await start();
    const wrong = await browser.post('/totps/authenticate', {
      totp_code: otherThan(codeOf(provider, user.secret)),
      ...MINUTES,
    });
    expect(wrong.status).toBe(404);
    expect((await enter(browser, user.secret)).status).toBe(200);
    provider.clock.time += 30_000;
    const again = await enter(browser, user.secret);
    expect([again.status, again.body['error_type']]).toEqual([401, 'intermediate_session_not_found']);
  });

  it('opens nothing else with its token', async () => {
    const { first } = await start();
    const session = String(first.data['intermediate_session_token']);
    for (const path of ['/users/me', '/users/sessions']) {
      expect((await provider.call('GET', path, undefined, { session })).status).toBe(401);
    }
  });

  it('is one factor alone for a user without a second one', async () => {
    const { data } = await enterEmail(provider, new LoginBrowser(provider), uniqueEmail('plain'));
    expect(data['session']).not.toBeNull();
    expect(data).not.toHaveProperty('mfa');
  });
});
