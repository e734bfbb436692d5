import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { PASSKEY, passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator, type ResponseFaults } from '../kit/webauthn-authenticator.ts';
import { SOAK } from '#tests/soak.ts';
import { listedIf } from '#tests/soak-tests.ts';

const FAILED = 'webauthn_verification_failed';

const ROUNDS = SOAK ? 100 : 5;

describe.each(EITHER_DATABASE)('refused passkeys on %s', (_, url) => {
  const provider = suiteProvider(url);

  const { signIn, creation, register, request, authenticate, enrolled } = passkeySteps(() => provider);

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

  it.each<[string, ResponseFaults]>([
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

  it.each<[string, ResponseFaults]>([
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

  it('refuses a count that does not rise, which the copy of a key of one device shows', async () => {
    const { session_token } = await signIn();
    const key = new SoftwareAuthenticator();
    const ofOneDevice = { eligible: false };
    expect((await register(key.create(await creation(session_token), ofOneDevice), session_token)).status).toBe(200);
    const logIn = async (counter: number) => authenticate(key.get(await request(), { ...ofOneDevice, counter }));
    expect((await logIn(7)).status).toBe(200);
    for (const counter of [7, 6, 0]) expect((await logIn(counter)).body['error_type']).toBe(FAILED);
    expect((await logIn(8)).status).toBe(200);
  });

  it('takes every count of a synced key, which each of its devices and managers counts on its own', async () => {
    const { key } = await enrolled();
    for (const counter of [7, 7, 6, 0, 3]) {
      expect((await authenticate(key.get(await request(), { counter }))).status).toBe(200);
    }
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

  // The damage is found before anything is read or written, so one database is enough.
  listedIf(url === undefined, it)(
    `answers ${ROUNDS * 20} damaged credentials without a fault and without a login`,
    async () => {
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
      for (let round = 0; round < ROUNDS; round += 1) {
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
    },
  );
});
