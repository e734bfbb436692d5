import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hono } from 'hono';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';
import { enterEmail, LoginBrowser, makeGuarded } from '../kit/second-step.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { providerAt } from './gate-callers.ts';
import { codeOf, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const APPS = { policy: 'when_enrolled', factors: ['totp', 'recovery_code'] };
const MOVED = { policy: 'required', factors: ['webauthn', 'sms'], recovery_hours: 24 };
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };

describe.each(EITHER_DATABASE)('a user of an app in a project that moved to passkeys, on %s', (_, url) => {
  let before: Provider;
  let provider: Provider;
  beforeAll(async () => {
    before = await makeTarget(url, {}, { mfa: APPS });
    const project = projectFrom({ ...SETTINGS, mfa: MOVED });
    const app: Hono<AppEnv> = createApp({ ...before.services, project });
    provider = providerAt(before, app);
  });
  afterAll(() => before.close());

  async function begun() {
    const { email, secret, recovery_codes } = await makeGuarded(before, uniqueEmail('moved'));
    const browser = new LoginBrowser(provider);
    const { data } = await enterEmail(provider, browser, email);
    return { browser, secret, recovery_codes, step: data['mfa'] as Fields };
  }

  it('is asked for the app before anything is added', async () => {
    const { step } = await begun();
    expect(step).toMatchObject({ factors: ['totp', 'recovery_code'], enrol: [], phone_numbers: [] });
    expect(step['recovery']).toEqual({ hours: 24 });
  });

  it('gets no second factor by the mailbox alone', async () => {
    const { browser } = await begun();
    const tried = [
      await browser.post('/webauthn/register/start', PASSKEY),
      await browser.post('/mfa/add_phone', { phone_number: '+14155550123', channel: 'sms' }),
      await browser.post('/totps', { expiration_minutes: 60 }),
    ];
    expect(tried.map(({ status, body }) => [status, body['error_type']])).toEqual(
      tried.map(() => [403, 'mfa_factor_not_allowed']),
    );
  });

  it.each(['code', 'recovery code'])('adds a passkey once the app is proved by a %s', async (how) => {
    const { browser, secret, recovery_codes } = await begun();
    const proved =
      how === 'code'
        ? await browser.post('/totps/authenticate', { totp_code: codeOf(provider, secret), ...MINUTES })
        : await browser.post('/totps/recover', { recovery_code: recovery_codes[0], ...MINUTES });
    expect(proved.data['session']).toBeNull();
    expect(proved.data['mfa']).toMatchObject({ factors: [], enrol: ['webauthn', 'sms'] });
    const { data } = await browser.post('/webauthn/register/start', PASSKEY);
    const options = JSON.parse(String(data['public_key_credential_creation_options'])) as Fields;
    const key = new SoftwareAuthenticator().create(options);
    const done = await browser.post('/webauthn/register', { public_key_credential: key, ...MINUTES });
    expect(done.data['session']).not.toBeNull();
  });
});
