import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultName } from '../../../src/domain/rules/passkeys.ts';
import { createApp } from '../../src/app.ts';
import { DEMO_PROJECT } from '../../src/project/project.ts';
import { basic, DATABASES, makeProvider, MINUTE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { SoftwareAuthenticator, type Spoiled } from '../kit/webauthn-authenticator.ts';

const FIFTY = Array.from({ length: 50 });
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const PASSKEY = { domain: 'localhost', return_passkey_credential_options: true };
const FAILED = 'webauthn_verification_failed';

describe.each(DATABASES)('passkeys on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeProvider(url);
  });
  afterAll(() => provider.close());

  let people = 0;
  const signIn = async (): Promise<Fields & { readonly session_token: string }> => {
    people += 1;
    return (await provider.signIn(`passkey${people}@example.com`)) as Fields & { session_token: string };
  };
  const creation = async (session: string, fields: Fields = {}): Promise<Fields> => {
    const reply = await provider.post('/webauthn/register/start', { ...PASSKEY, ...fields }, { session });
    return JSON.parse(reply.data['public_key_credential_creation_options']) as Fields;
  };
  const register = (public_key_credential: string, session: string, fields: Fields = {}) =>
    provider.post('/webauthn/register', { public_key_credential, ...fields }, { session });
  const request = async (fields: Fields = {}, session?: string): Promise<Fields> => {
    const step = session === undefined ? 'primary' : 'secondary';
    const extras = session === undefined ? {} : { session };
    const reply = await provider.post(`/webauthn/authenticate/start/${step}`, { ...PASSKEY, ...fields }, extras);
    return JSON.parse(reply.data['public_key_credential_request_options']) as Fields;
  };
  const authenticate = (public_key_credential: string, session?: string) =>
    provider.post(
      '/webauthn/authenticate',
      { public_key_credential, session_duration_minutes: 30 },
      session === undefined ? {} : { session },
    );
  /** Somebody with a passkey. */
  const enrolled = async (): Promise<{ user: Fields; key: SoftwareAuthenticator; session: string; id: string }> => {
    const user = await signIn();
    const key = new SoftwareAuthenticator();
    const { data } = await register(key.create(await creation(user.session_token)), user.session_token);
    return { user, key, session: String(data['session_token']), id: String(data['webauthn_registration_id']) };
  };

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
    };
    expect(data['user'].webauthn_registrations).toEqual([registration]);
    const asked = await request();
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(asked['allowCredentials'] ?? []).toEqual([]);
    const login = await authenticate(key.get(asked));
    expect(login.status).toBe(200);
    expect(login.data).toMatchObject({ user_id: user['user_id'] });
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

  it.each([
    ['domain', { domain: 'evil.example' }, 'invalid_domain'],
    ['address', { domain: '127.0.0.1' }, 'invalid_domain'],
    ['domain with a port', { domain: 'localhost:3000' }, 'invalid_domain'],
    ['empty domain', { domain: '' }, 'invalid_domain'],
    ['authenticator type', { authenticator_type: 'usb' }, 'invalid_authenticator_type'],
    ['long id', { override_id: 'x'.repeat(65) }, 'invalid_override_id'],
    ['empty id', { override_id: '' }, 'invalid_override_id'],
  ])('starts nothing with a wrong %s', async (__, fields, type) => {
    const { session_token: session } = await signIn();
    const reply = await provider.post('/webauthn/register/start', { ...PASSKEY, ...fields }, { session });
    expect(reply.body).toMatchObject({ status_code: 400, error_type: type });
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

  it.each<[string, Spoiled]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that only looks like it', { origin: 'http://localhost.evil.example' }],
    ['a null origin', { origin: 'null' }],
    ['a foreign frame', { crossOrigin: true }],
    ['the other ceremony', { type: 'webauthn.get' }],
    ['another relying party', { rpId: 'example.com' }],
    ['no presence', { present: false }],
    ['no verification', { verified: false }],
  ])('registers nothing with %s', async (__, spoiled) => {
    const { session_token } = await signIn();
    const key = new SoftwareAuthenticator();
    const reply = await register(key.create(await creation(session_token), spoiled), session_token);
    expect(reply.body).toMatchObject({ status_code: 400, error_type: FAILED });
  });

  it.each<[string, Spoiled]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an address for an origin', { origin: 'http://127.0.0.1:3000' }],
    ['a foreign frame', { crossOrigin: true }],
    ['the other ceremony', { type: 'webauthn.create' }],
    ['another relying party', { rpId: 'example.com' }],
    ['no presence', { present: false }],
    ['no verification', { verified: false }],
    ['a key that is not synced any more', { eligible: false }],
    ['another key', { signWith: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['no user', { userHandle: null }],
    ['another user', { userHandle: Buffer.from('user-test-other').toString('base64url') }],
  ])('refuses a login with %s', async (__, spoiled) => {
    const { key } = await enrolled();
    const asked = await request();
    expect((await authenticate(key.get(asked, spoiled))).body).toMatchObject({ status_code: 400, error_type: FAILED });
    expect((await authenticate(key.get(asked))).status).toBe(200);
  });

  it('knows an unknown credential from a wrong one', async () => {
    const key = new SoftwareAuthenticator();
    const reply = await authenticate(key.get(await request(), { userHandle: 'eA' }));
    expect(reply.body).toMatchObject({ status_code: 404, error_type: 'webauthn_registration_not_found' });
  });

  it('registers a credential once, for whichever user', async () => {
    const { key, session } = await enrolled();
    const again = await register(key.create(await creation(session)), session);
    expect(again.body).toMatchObject({ status_code: 400, error_type: 'duplicate_webauthn_registration' });
    const { session_token } = await signIn();
    const stolen = await register(key.create(await creation(session_token)), session_token);
    expect(stolen.body['error_type']).toBe('duplicate_webauthn_registration');
  });

  it('refuses a count that does not rise, which a copied key shows', async () => {
    const { key } = await enrolled();
    expect((await authenticate(key.get(await request(), { counter: 7 }))).status).toBe(200);
    for (const counter of [7, 6, 0]) {
      expect((await authenticate(key.get(await request(), { counter }))).body['error_type']).toBe(FAILED);
    }
    expect((await authenticate(key.get(await request(), { counter: 8 }))).status).toBe(200);
  });

  it('takes a challenge for one ceremony, one user, five minutes and once', async () => {
    const { key, session, id } = await enrolled();
    const unknown = { error_type: 'webauthn_challenge_not_found' };
    expect((await authenticate(key.get(await creation(session), { rpId: 'localhost' }))).body).toMatchObject(unknown);
    const { session_token } = await signIn();
    const other = new SoftwareAuthenticator();
    expect((await register(other.create(await creation(session)), session_token)).body).toMatchObject(unknown);
    const late = await request();
    provider.clock.time += 5 * MINUTE;
    expect((await authenticate(key.get(late))).body).toMatchObject(unknown);
    const asked = await request();
    expect((await authenticate(key.get(asked))).data['webauthn_registration_id']).toBe(id);
    expect((await authenticate(key.get(asked))).body).toMatchObject(unknown);
    const invented = { ...asked, challenge: Buffer.alloc(32).toString('base64url') };
    expect((await authenticate(key.get(invented))).body).toMatchObject(unknown);
  });

  it('redeems a challenge once for fifty concurrent callers', async () => {
    const { key, session } = await enrolled();
    const login = key.get(await request());
    const logins = await Promise.all(FIFTY.map(() => authenticate(login)));
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1);
    const made = new SoftwareAuthenticator().create(await creation(session));
    const registrations = await Promise.all(FIFTY.map(() => register(made, session)));
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

  it.each(['/webauthn/register/start', '/webauthn/register', '/webauthn/authenticate/start/secondary'])(
    'needs a session for %s',
    async (path) => {
      const body = { ...PASSKEY, public_key_credential: '{}' };
      expect((await provider.post(path, body)).body).toMatchObject({
        status_code: 401,
        error_type: 'user_unauthenticated',
      });
    },
  );

  it('answers 2,000 damaged credentials without a fault and without a login', async () => {
    const { key, session: first } = await enrolled();
    let session = first;
    let made = new SoftwareAuthenticator().create(await creation(session));
    let got = key.get(await request());
    const alphabet = 'ABCabc019-_{}[]":,\\\u0000é ';
    // A linear congruence: the same damage at every run.
    let seed = 20_300_101;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed % below;
    };
    const spoil = (text: string): string => {
      const at = next(text.length);
      const kind = next(4);
      if (kind === 0) return text.slice(0, at);
      if (kind === 1) return text.slice(0, at) + text.slice(at + 1 + next(40));
      const other = alphabet.charAt(next(alphabet.length));
      return text.slice(0, at) + other + text.slice(at + (kind === 2 ? 1 : 0));
    };
    /** What the signature covers, and what decides whose it must be. */
    const essence = (text: string): unknown => {
      const { id, rawId, type, response } = JSON.parse(text) as Fields;
      const { clientDataJSON, authenticatorData, userHandle } = response;
      return [id, rawId, type, clientDataJSON, authenticatorData, userHandle];
    };
    const statuses = new Set<number>();
    for (let round = 0; round < 100; round += 1) {
      const logins = Array.from({ length: 10 }, () => spoil(got));
      const registrations = Array.from({ length: 10 }, () => spoil(made));
      const replies = await Promise.all([
        ...logins.map((text) => authenticate(text)),
        ...registrations.map((text) => register(text, session)),
      ]);
      replies.forEach(({ status }, index) => {
        statuses.add(status);
        const text = logins[index];
        if (status === 200 && text !== undefined) expect(essence(text)).toEqual(essence(got));
      });
      // What was damaged where it does not matter has spent the challenge.
      if (replies.slice(0, 10).some(({ status }) => status === 200)) got = key.get(await request());
      const registered = replies.slice(10).find(({ status }) => status === 200);
      if (registered !== undefined) {
        session = String(registered.data['session_token']);
        made = new SoftwareAuthenticator().create(await creation(session));
      }
    }
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  }, 60_000);
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
