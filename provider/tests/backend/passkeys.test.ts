import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { SoftwareAuthenticator, type ResponseFaults } from '../kit/webauthn-authenticator.ts';

const DOMAIN = 'localhost';

describe.each(EITHER_DATABASE)('passkeys by the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database);
  });
  afterAll(() => backend.close());

  const webauthn = () => backend.client.webauthn;
  const signIn = async (email: string) => backend.provider.signIn(email);

  async function register(user_id: string, fields: Fields = {}) {
    const key = new SoftwareAuthenticator();
    const started = await webauthn().registerStart({
      user_id,
      domain: DOMAIN,
      return_passkey_credential_options: true,
    });
    const options = JSON.parse(started.public_key_credential_creation_options) as Fields;
    const public_key_credential = key.create(options);
    return { key, options, reply: await webauthn().register({ user_id, public_key_credential, ...fields }) };
  }
  const asked = async (user_id?: string) => {
    const named = user_id === undefined ? {} : { user_id };
    const started = await webauthn().authenticateStart({ domain: DOMAIN, ...named });
    return { ...started, options: JSON.parse(started.public_key_credential_request_options) as Fields };
  };
  const authenticate = async (
    key: SoftwareAuthenticator,
    options: Fields,
    fields: Fields = {},
    spoiled: ResponseFaults = {},
  ) => webauthn().authenticate({ public_key_credential: key.get(options, spoiled), ...fields });

  it('are registered for a user, with a session if it is requested', async () => {
    const { user_id } = await signIn('rita@example.com');
    const { reply } = await register(user_id);
    expect(reply).toMatchObject({ user_id, session: null, session_token: '', session_jwt: '' });
    expect(reply.user.webauthn_registrations.map((each) => each.webauthn_registration_id)).toEqual([
      reply.webauthn_registration_id,
    ]);
    const session_custom_claims = { tier: 'gold' };
    // Later than the first, and not later than the client's clock, which checks the JWT.
    backend.provider.clock.time = Date.now();
    const second = await register(user_id, { session_duration_minutes: 30, session_custom_claims });
    expect(second.reply.session).toMatchObject({ custom_claims: session_custom_claims });
    const { session_jwt } = second.reply;
    expect((await backend.client.sessions.authenticateJwtLocal({ session_jwt })).custom_claims).toEqual({
      tier: 'gold',
    });
    expect(second.options['excludeCredentials']).toHaveLength(1);
    const { credentials } = await webauthn().listCredentials({ user_id, domain: DOMAIN });
    expect(credentials).toEqual(
      [reply, second.reply].map(({ webauthn_registration_id }) => ({
        webauthn_registration_id,
        credential_id: expect.any(String),
        public_key: expect.any(String),
        type: 'public-key',
      })),
    );
  });

  it('refuse unknown users, foreign domains, and an answer for another user', async () => {
    const [rita, other] = [await signIn('rita2@example.com'), await signIn('other@example.com')];
    const start = (fields: Fields) => webauthn().registerStart({ user_id: rita['user_id'], domain: DOMAIN, ...fields });
    expect(await refusalOf(start({ user_id: 'nobody' }))).toMatchObject({
      status_code: 404,
      error_type: 'user_not_found',
    });
    expect(await refusalOf(start({ domain: 'evil.example' }))).toMatchObject({ error_type: 'invalid_domain' });
    expect(await refusalOf(start({ authenticator_type: 'x' }))).toMatchObject({
      error_type: 'invalid_authenticator_type',
    });
    const options = JSON.parse((await start({})).public_key_credential_creation_options) as Fields;
    const public_key_credential = new SoftwareAuthenticator().create(options);
    const stolen = webauthn().register({ user_id: other['user_id'], public_key_credential });
    expect(await refusalOf(stolen)).toMatchObject({ error_type: 'webauthn_challenge_not_found' });
    await webauthn().register({ user_id: rita['user_id'], public_key_credential });
    const again = webauthn().register({ user_id: rita['user_id'], public_key_credential });
    expect(await refusalOf(again)).toMatchObject({ error_type: 'webauthn_challenge_not_found' });
    expect(await refusalOf(webauthn().listCredentials({ user_id: 'nobody', domain: DOMAIN }))).toMatchObject({
      error_type: 'user_not_found',
    });
  });

  it('log in whoever they name, or the user whom the server names', async () => {
    const { user_id } = await signIn('paula@example.com');
    const { key, reply } = await register(user_id);
    const anybody = await asked();
    expect(anybody).toMatchObject({ user_id: '', options: { userVerification: 'required', allowCredentials: [] } });
    const login = await authenticate(key, anybody.options, { session_duration_minutes: 60 });
    expect(login).toMatchObject({ user_id, webauthn_registration_id: reply.webauthn_registration_id });
    expect(login.session?.authentication_factors).toMatchObject([{ type: 'webauthn' }]);
    const named = await asked(user_id);
    expect(named).toMatchObject({ user_id, options: { allowCredentials: [{}] } });
    expect(await authenticate(key, named.options)).toMatchObject({ user_id, session_token: '' });
    expect(await refusalOf(authenticate(key, named.options))).toMatchObject({
      error_type: 'webauthn_challenge_not_found',
    });
    const stranger = await signIn('nokey@example.com');
    expect(await refusalOf(asked(stranger['user_id']))).toMatchObject({
      error_type: 'webauthn_registration_not_found',
    });
  });

  it('must verify their user to begin a session, and join the user’s own session without', async () => {
    const user = await signIn('una@example.com');
    const { key } = await register(user['user_id']);
    const unverified = { verified: false };
    const login = authenticate(
      key,
      (await asked(user['user_id'])).options,
      { session_duration_minutes: 60 },
      unverified,
    );
    expect(await refusalOf(login)).toMatchObject({ error_type: 'webauthn_verification_failed' });
    const fields = { session_token: user['session_token'] };
    const joined = await authenticate(key, (await asked(user['user_id'])).options, fields, unverified);
    expect(joined.session?.authentication_factors.map(({ type }) => type)).toEqual(['otp', 'webauthn']);
    const foreign = { session_token: (await signIn('foreign@example.com'))['session_token'] };
    const refused = authenticate(key, (await asked(user['user_id'])).options, foreign, unverified);
    expect(await refusalOf(refused)).toMatchObject({ error_type: 'webauthn_challenge_not_found' });
    const ended = authenticate(key, (await asked(user['user_id'])).options, { session_token: 'x' });
    expect(await refusalOf(ended)).toMatchObject({ status_code: 404, error_type: 'session_not_found' });
  });

  it('are renamed', async () => {
    const { user_id } = await signIn('renata@example.com');
    const { webauthn_registration_id } = (await register(user_id)).reply;
    const renamed = await webauthn().update({ webauthn_registration_id, name: 'Work key' });
    expect(renamed.webauthn_registration).toMatchObject({ webauthn_registration_id, name: 'Work key', verified: true });
    expect(await refusalOf(webauthn().update({ webauthn_registration_id, name: '' }))).toMatchObject({
      error_type: 'invalid_webauthn_name',
    });
    expect(await refusalOf(webauthn().update({ webauthn_registration_id: 'x', name: 'x' }))).toMatchObject({
      error_type: 'webauthn_registration_not_found',
    });
  });
});
