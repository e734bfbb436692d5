import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { enterEmail, LoginBrowser } from '../kit/second-step.ts';
import { passkeySteps } from '../kit/passkey-steps.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { noticesTo } from '../notices/steps.ts';
import { fromServer, isAlive, makeTarget, uniqueEmail } from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * A browser makes a passkey after a login without asking anybody (WebAuthn Level 3, section 5.1.3, conditional mediation): the flags UP and
 * UV can be off. Only a registration that was started so may end so, and it proves nothing.
 */

const SILENT = { conditional_mediation: true };
const NOBODY = { present: false, verified: false };
const FAILED = { status_code: 400, error_type: 'webauthn_verification_failed' };
const UNKNOWN = { error_type: 'webauthn_challenge_not_found' };

describe.each(EITHER_DATABASE)('a passkey that nobody confirmed, on %s', (_, url) => {
  const provider = suiteProvider(url);
  const { signIn, creation, register, request, authenticate } = passkeySteps(() => provider);

  const passkeysOf = async (user_id: unknown) =>
    provider.services.db
      .selectFrom('webauthn_registrations')
      .select('webauthn_registration_id')
      .where('user_id', '=', String(user_id))
      .execute();
  const silentOptions = async (session: string): Promise<Fields> => {
    const options = await creation(session, SILENT);
    expect(options['authenticatorSelection']).toMatchObject({ residentKey: 'required', userVerification: 'preferred' });
    expect(options['attestation']).toBe('none');
    return options;
  };

  it('is registered for a silent start, and logs its user in once they verify themselves', async () => {
    const { session_token: session, user_id } = await signIn();
    const key = new SoftwareAuthenticator();
    const { status, data } = await register(key.create(await silentOptions(session), NOBODY), session);
    expect([status, data['user'].webauthn_registrations.length]).toEqual([200, 1]);
    expect(await passkeysOf(user_id)).toEqual([{ webauthn_registration_id: data['webauthn_registration_id'] }]);
    const excluded = (await creation(session, SILENT))['excludeCredentials'];
    expect(excluded).toMatchObject([{ id: key.id.toString('base64url') }]);
    for (const faults of [NOBODY, { present: false }, { verified: false }]) {
      expect((await authenticate(key.get(await request(), faults))).body).toMatchObject(FAILED);
    }
    const login = await authenticate(key.get(await request()));
    expect([login.status, login.data['user_id']]).toEqual([200, user_id]);
  });

  it('proves nothing: the session keeps its token and its factors', async () => {
    const { session_token: session } = await signIn();
    const made = new SoftwareAuthenticator().create(await silentOptions(session), {});
    const { data } = await register(made, session);
    expect(data['session_token']).toBe(session);
    expect(data['session'].authentication_factors.map(({ type }: Fields) => type)).toEqual(['otp']);
    expect(await isAlive(provider, session)).toBe(true);
    const events = await provider.services.db
      .selectFrom('audit_log')
      .select(['event', 'method'])
      .where('user_id', '=', String(data['user_id']))
      .where('event', '=', 'factor_added')
      .execute();
    expect(events).toEqual([{ event: 'factor_added', method: 'webauthn' }]);
  });

  it.each([{}, { conditional_mediation: false }, { return_passkey_credential_options: false }])(
    'is refused for a registration that was started with %j',
    async (fields) => {
      const { session_token: session, user_id } = await signIn();
      const options = await creation(session, fields);
      // Another challenge of the same user that is silent changes nothing.
      await silentOptions(session);
      for (const faults of [NOBODY, { present: false }]) {
        const made = new SoftwareAuthenticator().create(options, faults);
        expect((await register(made, session, SILENT)).body).toMatchObject(FAILED);
      }
      expect(await passkeysOf(user_id)).toEqual([]);
    },
  );

  soakIt('is refused for the challenge of a start that an older version of the server stored', async () => {
    const { session_token: session } = await signIn();
    const options = await silentOptions(session);
    await provider.services.db.updateTable('webauthn_challenges').set({ user_presence: true }).execute();
    expect((await register(new SoftwareAuthenticator().create(options, NOBODY), session)).body).toMatchObject(FAILED);
  });

  it('is refused in a session of somebody else, without a session, and from the app’s server', async () => {
    const { session_token: session, user_id } = await signIn();
    const { session_token: stranger } = await signIn();
    const options = await silentOptions(session);
    const public_key_credential = new SoftwareAuthenticator().create(options, NOBODY);
    expect((await register(public_key_credential, stranger)).body).toMatchObject(UNKNOWN);
    expect((await provider.post('/webauthn/register', { public_key_credential })).status).toBe(401);
    const body = { user_id: String(user_id), public_key_credential, session_duration_minutes: 60 };
    expect((await fromServer(provider, '/webauthn/register', body)).body).toMatchObject(UNKNOWN);
    expect(await passkeysOf(user_id)).toEqual([]);
  });

  it('is added once, by two answers at once, and by none of a session that ended first', async () => {
    const { session_token: session, user_id } = await signIn();
    const options = await silentOptions(session);
    const answers = await Promise.all(
      [1, 2].map(async () => register(new SoftwareAuthenticator().create(options, NOBODY), session)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    expect(await passkeysOf(user_id)).toHaveLength(1);
    const late = new SoftwareAuthenticator().create(await silentOptions(session), NOBODY);
    const [end, added] = await Promise.all([
      provider.post('/sessions/revoke', {}, { session }),
      register(late, session),
    ]);
    expect(end.status).toBe(200);
    expect(await passkeysOf(user_id)).toHaveLength(added.status === 200 ? 2 : 1);
    expect(await isAlive(provider, session)).toBe(false);
  });
});

describe.each(EITHER_DATABASE)('a passkey that nobody confirmed, where two factors count, on %s', (_, url) => {
  let provider: Provider;
  const mfa = { policy: { required_for_roles: ['editor'] }, factors: ['totp', 'webauthn', 'recovery_code'] };
  beforeAll(async () => {
    const role_assignments = [{ email: 'edith@example.com', roles: ['editor'] }];
    provider = await makeTarget(url, {}, { mfa, role_assignments, notices: { factors: true } });
  });
  afterAll(() => provider.close());
  const { creation, register } = passkeySteps(() => provider);

  it('is no second factor that the login of a thief of the first one could add', async () => {
    const browser = new LoginBrowser(provider);
    expect((await enterEmail(provider, browser, 'edith@example.com')).data).toMatchObject({ session: null });
    const { data } = await browser.post('/webauthn/register/start', { domain: 'localhost', ...SILENT });
    const options = JSON.parse(data['public_key_credential_creation_options']) as Fields;
    expect(options['authenticatorSelection'].userVerification).toBe('required');
    const made = new SoftwareAuthenticator().create(options, NOBODY);
    expect((await browser.post('/webauthn/register', { public_key_credential: made })).body).toMatchObject(FAILED);
  });

  soakIt(
    'is refused to a session of one factor, which would lack it from then on, and added to one of two',
    async () => {
      const email = uniqueEmail('silent');
      const { session_token } = await provider.signIn(email);
      const session = String(session_token);
      const start = { domain: 'localhost', ...SILENT };
      expect((await provider.post('/webauthn/register/start', start, { session })).body).toMatchObject({
        error_type: 'mfa_required',
      });
      expect(await isAlive(provider, session)).toBe(true);
      const { data } = await register(new SoftwareAuthenticator().create(await creation(session)), session);
      const both = String(data['session_token']);
      const key = new SoftwareAuthenticator();
      const added = await register(key.create(await creation(both, SILENT), NOBODY), both);
      expect([added.status, await isAlive(provider, both)]).toEqual([200, true]);
      expect((await noticesTo(provider, email)).length).toBeGreaterThan(0);
    },
  );
});
