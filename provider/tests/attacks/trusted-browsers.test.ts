import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { codeOf, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const MFA = {
  policy: 'when_enrolled',
  factors: ['totp', 'recovery_code', 'webauthn'],
  trusted_devices: { days: 30 },
};
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };

describe.each(EITHER_DATABASE)('a session that a trusted browser began, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: MFA });
  });
  afterAll(() => provider.close());

  /** A user with a passkey as second factor: a session that proves it, and one of a browser that they trust. */
  async function makeOwner() {
    const email = uniqueEmail('owner');
    const first = String((await provider.signIn(email))['session_token']);
    const key = new SoftwareAuthenticator();
    const { data: started } = await provider.post('/webauthn/register/start', PASSKEY, { session: first });
    const made = key.create(JSON.parse(String(started['public_key_credential_creation_options'])) as Fields);
    await provider.post('/webauthn/register', { public_key_credential: made }, { session: first });
    const browser = new LoginBrowser(provider);
    await enterEmail(provider, browser, email);
    const { data: asked } = await browser.post('/webauthn/authenticate/start/secondary', PASSKEY);
    const signed = key.get(JSON.parse(String(asked['public_key_credential_request_options'])) as Fields);
    const proved = await browser.post('/webauthn/authenticate', {
      public_key_credential: signed,
      trust_device: true,
      ...MINUTES,
    });
    const trusted = new LoginBrowser(provider);
    trusted.fields = { ...trusted.fields, trusted_device_token: browser.fields['trusted_device_token'] };
    const { data } = await enterEmail(provider, trusted, email);
    expect(data['session'].authentication_factors.map((factor: Fields) => factor['type'])).toContain('trusted_device');
    return { proven: String(proved.data['session_token']), trusted: String(data['session_token']) };
  }

  it('makes no authenticator app', async () => {
    const { trusted } = await makeOwner();
    const { status, body } = await provider.post('/totps', { expiration_minutes: 60 }, { session: trusted });
    expect([status, body['error_type']]).toEqual([403, 'mfa_required']);
  });

  it('enters no first code of an app that a session with the passkey made', async () => {
    const { proven, trusted } = await makeOwner();
    const { data } = await provider.post('/totps', { expiration_minutes: 60 }, { session: proven });
    const code = { totp_code: codeOf(provider, String(data['secret'])), ...MINUTES };
    const stolen = await provider.post('/totps/authenticate', code, { session: trusted });
    expect([stolen.status, stolen.body['error_type']]).toEqual([403, 'mfa_required']);
    expect((await provider.post('/totps/authenticate', code, { session: proven })).status).toBe(200);
  });
});
