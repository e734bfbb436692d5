import { describe, expect, it } from 'vitest';
import { defaultName } from '#server-rules/passkeys.ts';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { PASSKEY, passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const MANY = Array.from({ length: SOAK ? 50 : 15 });
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe.each(EITHER_DATABASE)('passkeys on %s', (_, url) => {
  const provider = suiteProvider(url);

  const { signIn, creation, register, request, authenticate, enrolled } = passkeySteps(() => provider);

  it('registers one and logs in with it', async () => {
    const user = await signIn();
    const key = new SoftwareAuthenticator();
    const options = await creation(user.session_token, { user_agent: CHROME });
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Portico Demo' },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options['challenge'], 'base64url').length).toBeGreaterThanOrEqual(32);
    expect(Buffer.from(options['user'].id, 'base64url').toString()).toBe(user['user_id']);
    const { status, data } = await register(key.create(options), user.session_token, { is_passkey: true });
    expect(status).toBe(200);
    expect(data['user_id']).toBe(user['user_id']);
    expect(data['session'].session_id).toBe(user['session'].session_id);
    expect(data['session'].authentication_factors).toHaveLength(2);
    const registration = {
      webauthn_registration_id: data['webauthn_registration_id'],
      domain: 'localhost',
      user_agent: CHROME,
      authenticator_type: 'platform',
      verified: true,
      name: 'Chrome on Linux',
      created_at: new Date(provider.clock.now()).toISOString(),
      last_used_at: null,
      backup_eligible: true,
      backed_up: true,
      aaguid: null,
      attested: false,
      model: null,
    };
    expect(data['user'].webauthn_registrations).toEqual([registration]);
    const asked = await request();
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(asked['allowCredentials'] ?? []).toEqual([]);
    const login = await authenticate(key.get(asked, { backedUp: false }));
    expect(login.status).toBe(200);
    expect(login.data).toMatchObject({ user_id: user['user_id'] });
    const used = { last_used_at: new Date(provider.clock.now()).toISOString(), backed_up: false };
    expect(login.data['user'].webauthn_registrations).toEqual([{ ...registration, ...used }]);
    expect(login.data['session'].authentication_factors).toMatchObject([
      { type: 'webauthn', webauthn_factor: { webauthn_registration_id: registration.webauthn_registration_id } },
    ]);
  });

  it('asks a signed-in user for the keys of that user only', async () => {
    const { key, session, user } = await enrolled();
    const stranger = await enrolled();
    const asked = await request({ return_passkey_credential_options: false }, session);
    expect(asked['allowCredentials']).toEqual([
      { id: key.id.toString('base64url'), type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
    expect((await authenticate(stranger.key.get(asked), session)).body['error_type']).toBe(
      'webauthn_registration_not_found',
    );
    const { data } = await authenticate(key.get(asked, { userHandle: null, verified: false }), session);
    expect(data['user_id']).toBe(user['user_id']);
    const nobody = await signIn();
    const none = await provider.post('/webauthn/authenticate/start/secondary', PASSKEY, {
      session: nobody.session_token,
    });
    expect(none.body).toMatchObject({ status_code: 404, error_type: 'webauthn_registration_not_found' });
  });

  it('uses the host’s user handle, names and authenticator type, and excludes registered keys', async () => {
    const { session, key } = await enrolled();
    const options = await creation(session, {
      return_passkey_credential_options: false,
      authenticator_type: 'cross-platform',
      override_id: 'user-7',
      override_name: 'ada',
      override_display_name: 'Ada L.',
    });
    expect(options['user']).toEqual({
      id: Buffer.from('user-7').toString('base64url'),
      name: 'ada',
      displayName: 'Ada L.',
    });
    expect(options['authenticatorSelection']).toMatchObject({
      authenticatorAttachment: 'cross-platform',
      residentKey: 'discouraged',
      userVerification: 'preferred',
    });
    expect(options['excludeCredentials']).toMatchObject([{ id: key.id.toString('base64url') }]);
    const second = new SoftwareAuthenticator();
    expect((await register(second.create(options), session)).status).toBe(200);
    expect((await authenticate(second.get(await request()))).status).toBe(200);
  });

  it('uses the hosts of registered origins and of this machine', async () => {
    const project = { ...DEMO_PROJECT, allow_loopback: false, origins: ['https://app.example.com'] };
    const app = createApp({ ...provider.services, project });
    const ask = async (domain: string): Promise<number> => {
      const headers = { authorization: basic(PUBLIC_TOKEN, ''), 'content-type': 'application/json' };
      const body = JSON.stringify({ domain });
      return (await app.request('/sdk/v1/webauthn/authenticate/start/primary', { method: 'POST', headers, body }))
        .status;
    };
    expect(await ask('app.example.com')).toBe(200);
    for (const domain of ['example.com', 'x.app.example.com', 'localhost', 'com']) expect(await ask(domain)).toBe(400);
    expect((await provider.post('/webauthn/authenticate/start/primary', { domain: 'app.localhost' })).status).toBe(200);
  });

  it('registers a credential once, for whichever user', async () => {
    const { key, session } = await enrolled();
    const again = await register(key.create(await creation(session)), session);
    expect(again.body).toMatchObject({ status_code: 400, error_type: 'duplicate_webauthn_registration' });
    const { session_token } = await signIn();
    const stolen = await register(key.create(await creation(session_token)), session_token);
    expect(stolen.body['error_type']).toBe('duplicate_webauthn_registration');
  });

  soakIt('redeems a challenge once for many concurrent callers', async () => {
    const { key, session } = await enrolled();
    const login = key.get(await request());
    const logins = await Promise.all(MANY.map(() => authenticate(login)));
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1);
    const made = new SoftwareAuthenticator().create(await creation(session));
    const registrations = await Promise.all(MANY.map(() => register(made, session)));
    expect(registrations.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([...logins, ...registrations].every(({ status }) => status < 500)).toBe(true);
  });

  it('renames a passkey of its user', async () => {
    const { session, id } = await enrolled();
    const rename = (name: string, as = session, which = id) =>
      provider.call('PUT', `/webauthn/update/${which}`, { name }, { session: as });
    const { data } = await rename('  Работа 👩‍💻  ');
    expect(data['webauthn_registration']).toMatchObject({ webauthn_registration_id: id, name: 'Работа 👩‍💻' });
    for (const name of ['', '   ', 'x'.repeat(121), 'a\u202eb', 'a\nb']) {
      expect((await rename(name)).body).toMatchObject({ status_code: 400, error_type: 'invalid_webauthn_name' });
    }
    const { session_token } = await signIn();
    expect((await rename('Mine', session_token)).body['error_type']).toBe('webauthn_registration_not_found');
    expect((await rename('Mine', session, 'unknown')).body['error_type']).toBe('webauthn_registration_not_found');
  });
});
describe('the name of a new passkey', () => {
  it.each([
    ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', CHROME, 'iCloud Keychain'],
    ['00000000-0000-0000-0000-000000000000', CHROME, 'Chrome on Linux'],
    [
      '00000000-0000-0000-0000-000000000000',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/605',
      'Safari on iPhone',
    ],
    ['00000000-0000-0000-0000-000000000000', 'node', 'Passkey'],
  ])('of %s and %s is %s', (aaguid, userAgent, name) => {
    expect(defaultName(aaguid, userAgent)).toBe(name);
  });
});
