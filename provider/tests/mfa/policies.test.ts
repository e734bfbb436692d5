import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import {
  codeOf,
  consent,
  enrolTotp,
  isAlive,
  makeTarget,
  MINUTES,
  redeemCode,
  uniqueEmail,
} from '../attacks/attacker.ts';
import { pagesOf, PROJECT } from '../kit/cookie-pages.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { CHALLENGED, enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple';

describe.each(EITHER_DATABASE)('a project that requires the second factor of a role, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = { policy: { required_for_roles: ['editor'] }, factors: ['totp', 'recovery_code'] };
    provider = await makeTarget(
      url,
      {},
      { mfa, role_assignments: [{ email: 'edith@example.com', roles: ['editor'] }] },
    );
  });
  afterAll(() => provider.close());

  it('lets others in with one factor, unless they have a second one', async () => {
    const email = uniqueEmail('other');
    expect((await provider.signIn(email))['session']).not.toBeNull();
    await makeGuarded(provider, email);
    const { data } = await enterEmail(provider, new LoginBrowser(provider), email);
    expect(data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'], enrol: [] } });
  });

  it('has users of the role enrol one in their first login, and asks for it in the next', async () => {
    const browser = new LoginBrowser(provider);
    const { data } = await enterEmail(provider, browser, 'edith@example.com');
    expect(data).toMatchObject({ session: null, mfa: { factors: [], enrol: ['totp'], recovery: null } });
    const { session } = await makeGuarded(provider, 'edith@example.com');
    expect(await isAlive(provider, session)).toBe(true);
    const again = await enterEmail(provider, new LoginBrowser(provider), 'edith@example.com');
    expect(again.data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'], enrol: [] } });
  });

  it('opens nothing more to a session of one factor whose user is given the role', async () => {
    const email = uniqueEmail('promoted');
    const { session_token } = await provider.signIn(email);
    expect(await isAlive(provider, session_token)).toBe(true);
    const { project } = provider.services;
    const before = project.role_assignments;
    Object.assign(project, { role_assignments: [...before, { email, roles: ['editor'] }] });
    try {
      const me = await provider.call('GET', '/users/me', undefined, { session: String(session_token) });
      expect([me.status, me.body['error_type']]).toEqual([403, 'mfa_required']);
      expect((await consent(provider, String(session_token))).status).toBe(403);
    } finally {
      Object.assign(project, { role_assignments: before });
    }
  });
});

describe.each(EITHER_DATABASE)('a login in which the second factor is enrolled, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const mfa = { policy: 'required', factors: ['totp', 'webauthn', 'sms', 'recovery_code'] };
    provider = await makeTarget(url, {}, { mfa });
  });
  afterAll(() => provider.close());

  const start = async () => {
    const browser = new LoginBrowser(provider);
    const email = uniqueEmail('new');
    const first = await enterEmail(provider, browser, email);
    expect(first.data).toMatchObject({ session: null, mfa: { factors: [], enrol: ['webauthn', 'totp', 'sms'] } });
    return { browser, email };
  };
  const typesIn = (data: Fields) => data['session'].authentication_factors.map(({ type }: Fields) => type);

  it('ends with a session by a number, whose code is sent to it', async () => {
    const { browser, email } = await start();
    const phone_number = '+14155550177';
    const wrong = await browser.post('/mfa/add_phone', { phone_number, channel: 'whatsapp' });
    expect(wrong.body['error_type']).toBe('mfa_factor_not_allowed');
    const unknown = await browser.post('/mfa/add_phone', { phone_number, channel: 'fax' });
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([400, expect.stringContaining('channel')]);
    const { data } = await browser.post('/mfa/add_phone', { phone_number, channel: 'sms' });
    const token = (await provider.newest(phone_number))?.code;
    const body = { token, method_id: data['method_id'], ...MINUTES };
    // The code is the login's: in another browser it opens nothing.
    expect((await new LoginBrowser(provider).post('/otps/authenticate', body)).status).not.toBe(200);
    const done = await browser.post('/otps/authenticate', body);
    expect(typesIn(done.data)).toEqual(['otp', 'otp']);
    expect(done.data['user'].phone_numbers).toMatchObject([{ phone_number, verified: true }]);
    const next = await enterEmail(provider, new LoginBrowser(provider), email);
    expect(next.data['mfa']).toMatchObject({ factors: ['sms'], phone_numbers: [{ phone_number: '+1 ••• ••• •• 77' }] });
  });

  it('ends with a session by WhatsApp alone, where the project accepts no text messages', async () => {
    const { project } = provider.services;
    const before = project.mfa;
    Object.assign(project, { mfa: { policy: 'required', factors: ['whatsapp'] } });
    try {
      const browser = new LoginBrowser(provider);
      const email = uniqueEmail('whatsapp');
      expect((await enterEmail(provider, browser, email)).data['mfa']).toMatchObject({ enrol: ['whatsapp'] });
      const phone_number = '+14155550178';
      const wrong = await browser.post('/mfa/add_phone', { phone_number, channel: 'sms' });
      expect(wrong.body['error_type']).toBe('mfa_factor_not_allowed');
      const { data } = await browser.post('/mfa/add_phone', { phone_number, channel: 'whatsapp' });
      const token = (await provider.newest(phone_number))?.code;
      const enrolled = await browser.post('/otps/authenticate', { token, method_id: data['method_id'], ...MINUTES });
      expect(typesIn(enrolled.data)).toEqual(['otp', 'otp']);
      const again = new LoginBrowser(provider);
      const { mfa } = (await enterEmail(provider, again, email)).data;
      expect(mfa).toMatchObject({ factors: ['whatsapp'], phone_numbers: [{ phone_number: '+1 ••• ••• •• 78' }] });
      const sent = await again.post('/mfa/send_code', { phone_id: mfa.phone_numbers[0].phone_id, channel: 'whatsapp' });
      const next = (await provider.newest(phone_number))?.code;
      const done = await again.post('/otps/authenticate', {
        token: next,
        method_id: sent.data['method_id'],
        ...MINUTES,
      });
      expect(typesIn(done.data)).toEqual(['otp', 'otp']);
    } finally {
      Object.assign(project, { mfa: before });
    }
  });

  it('ends with a session by a passkey that verifies its user, and by no other', async () => {
    const { browser, email } = await start();
    const key = new SoftwareAuthenticator();
    const register = async (faults: Fields) => {
      const asked = { domain: 'localhost', return_passkey_credential_options: true };
      const { data } = await browser.post('/webauthn/register/start', asked);
      const made = key.create(JSON.parse(data['public_key_credential_creation_options']) as Fields, faults);
      return browser.post('/webauthn/register', { public_key_credential: made, ...MINUTES });
    };
    const unverified = await register({ verified: false });
    expect(unverified.data['session'] ?? null).toBeNull();
    const done = await register({});
    expect(done.status).toBe(200);
    expect(done.data['session']).toMatchObject({
      authentication_factors: [{ type: 'otp' }, { type: 'webauthn', amr: ['pop', 'mfa'] }],
    });
    const next = await enterEmail(provider, new LoginBrowser(provider), email);
    expect(next.data['mfa']).toMatchObject({ factors: ['webauthn'], enrol: [] });
  });

  soakIt('hands the consent page on to the second factor, and gives the app its code afterwards', async () => {
    const { browser } = await start();
    const step = String(browser.fields['intermediate_session_token']);
    expect((await consent(provider, step)).status).toBe(401);
    const { data } = await browser.post('/totps', { expiration_minutes: 60 });
    const done = await browser.post('/totps/authenticate', {
      totp_code: codeOf(provider, String(data['secret'])),
      ...MINUTES,
    });
    const granted = await consent(provider, String(done.data['session_token']));
    expect((await redeemCode(provider, granted.data['authorization_code']))['access_token']).toBeDefined();
  });

  it('hands a reset on to the second factor, which completes it in the browser of the reset alone', async () => {
    const { email, secret } = await makeGuarded(provider, uniqueEmail('reset'));
    const reset = new LoginBrowser(provider);
    await reset.post('/passwords/email/reset/start', { email });
    const link = new URL((await provider.newest(email))?.link ?? '');
    const body = { token: link.searchParams.get('token'), password: PASSWORD, ...MINUTES };
    const first = await reset.post('/passwords/email/reset', body);
    expect(first.data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'] } });
    const code = { totp_code: codeOf(provider, secret), ...MINUTES };
    const { intermediate_session_token } = reset.fields;
    const thief = new LoginBrowser(provider);
    const stolen = { ...code, intermediate_session_token, mfa_code_verifier: thief.verifier };
    expect((await provider.post('/totps/authenticate', stolen)).status).toBe(401);
    const done = await reset.post('/totps/authenticate', code);
    expect(typesIn(done.data)).toEqual(['password', 'totp']);
    // The password was set before.
    const login = await new LoginBrowser(provider).post('/passwords/authenticate', {
      email,
      password: PASSWORD,
      ...MINUTES,
    });
    expect(login.data).toMatchObject({ session: null, mfa: { factors: ['totp', 'recovery_code'] } });
  });

  it('hands a session of one factor on at the consent, where the policy was raised', async () => {
    const { project } = provider.services;
    const raised = project.mfa;
    Object.assign(project, { mfa: null });
    const { session_token } = await provider.signIn(uniqueEmail('raised'));
    const early = String(session_token);
    const { session } = await enrolTotp(provider, early);
    const { session_token: other } = await provider.signIn(uniqueEmail('plain'));
    Object.assign(project, { mfa: raised });
    expect((await consent(provider, String(other))).body['error_type']).toBe('mfa_required');
    expect((await provider.post('/sessions/authenticate', CHALLENGED, { session: String(other) })).data).toMatchObject({
      session: null,
      mfa: { enrol: ['webauthn', 'totp', 'sms'] },
    });
    expect((await consent(provider, session)).status).toBe(200);
  });
});

describe.each(EITHER_DATABASE)('a trusted browser with HttpOnly sessions, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    const { mfa } = projectFrom({ mfa: { policy: 'when_enrolled', trusted_devices: { days: 30 } } });
    provider = await makeProvider(url, { project: { ...PROJECT, mfa }, loopback: false, dev: false });
  });
  afterAll(() => provider.close());

  const { newAddress, openPage } = pagesOf(() => provider);

  it('has its secret in a cookie that scripts cannot read, and in no reply', async () => {
    const page = openPage();
    const email = newAddress();
    await page.signUp(email);
    const { data: made } = await page.send('/totps', { expiration_minutes: 60 });
    const code = () => ({ totp_code: codeOf(provider, String(made['secret'])), ...MINUTES });
    await page.send('/totps/authenticate', code());
    await page.send('/sessions/revoke');
    provider.clock.time += MINUTE;
    const browser = new LoginBrowser(provider);
    const first = await page.signUp(email, browser.fields);
    expect(first.data['session']).toBeNull();
    const { intermediate_session_token } = first.data;
    const step = { intermediate_session_token, mfa_code_verifier: browser.verifier };
    const done = await page.send('/totps/authenticate', { ...code(), ...step, trust_device: true });
    expect(done.status).toBe(200);
    const line = done.lines.find((each) => each.startsWith('stytch_trusted_device='));
    expect(line).toMatch(/; Max-Age=2592000; Path=\/; SameSite=Lax; Domain=example\.com; Secure; HttpOnly$/u);
    expect(done.data).not.toHaveProperty('trusted_device_token');
    expect(done.text).not.toContain(page.cookie('stytch_trusted_device'));
    expect(page.jar.readableAt('https://app.example.com/')).not.toContain('stytch_trusted_device');
    // The cookie spares the second factor in this browser, and a secret that is made up does not.
    await page.send('/sessions/revoke');
    const again = await page.signUp(email);
    expect(again.data['session'].authentication_factors).toMatchObject([{}, { type: 'trusted_device' }]);
    const made_up = createHash('sha256').update(randomUUID()).digest('base64url');
    const other = openPage();
    other.jar.receive('https://api.example.com/sdk/v1/x', [
      `stytch_trusted_device=${made_up}; Path=/; Domain=example.com`,
    ]);
    expect((await other.signUp(email, CHALLENGED)).data['session']).toBeNull();
  });
});
