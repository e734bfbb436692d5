import { describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { EITHER_DATABASE, type Fields, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const FAILED = { status_code: 400, error_type: 'webauthn_verification_failed' };
const UNKNOWN = { error_type: 'webauthn_challenge_not_found' };

describe.each(EITHER_DATABASE)('an attacker with the passkey device of another user, on %s', (_, url) => {
  const provider = suiteProvider(url);

  const ask = async (step: 'primary' | 'secondary', fields: Fields, session?: string): Promise<Fields> => {
    const extras = session === undefined ? {} : { session };
    const body = { domain: 'localhost', ...fields };
    const { data } = await provider.post(`/webauthn/authenticate/start/${step}`, body, extras);
    return JSON.parse(data['public_key_credential_request_options']) as Fields;
  };
  const answer = (public_key_credential: string, session?: string) =>
    provider.post(
      '/webauthn/authenticate',
      { public_key_credential, session_duration_minutes: 30 },
      session === undefined ? {} : { session },
    );
  let owners = 0;
  /** A user with a key that was registered as a passkey or as a second factor. */
  const owner = async (fields: Fields = { return_passkey_credential_options: true }) => {
    owners += 1;
    const email = `key-owner-${owners}@example.com`;
    const { user_id, session_token } = await provider.signIn(email);
    const key = new SoftwareAuthenticator();
    const start = { domain: 'localhost', ...fields };
    const { data } = await provider.post('/webauthn/register/start', start, { session: String(session_token) });
    const options = JSON.parse(data['public_key_credential_creation_options']) as Fields;
    const verified = options['authenticatorSelection'].userVerification === 'required';
    const body = { public_key_credential: key.create(options, { verified }) };
    const made = await provider.post('/webauthn/register', body, { session: String(session_token) });
    return { email, user_id: String(user_id), key, session: String(made.data['session_token']) };
  };
  const sessionsOf = async (user_id: string): Promise<number> =>
    (await provider.services.db.selectFrom('sessions').select('session_id').where('user_id', '=', user_id).execute())
      .length;

  it.each([{}, { return_passkey_credential_options: false }, { return_passkey_credential_options: true }])(
    'a login without user verification is refused, asked for with %j',
    async (fields) => {
      for (const { key } of [await owner(), await owner({ return_passkey_credential_options: false })]) {
        const asked = await ask('primary', fields);
        expect(asked['userVerification']).toBe('required');
        expect((await answer(key.get(asked, { verified: false }))).body).toMatchObject(FAILED);
        expect((await answer(key.get(asked))).status).toBe(200);
      }
    },
  );

  it('a login without user verification is refused also for a challenge of an older version', async () => {
    const { key } = await owner();
    const asked = await ask('primary', {});
    await provider.services.db.updateTable('webauthn_challenges').set({ user_verification: false }).execute();
    expect((await answer(key.get(asked, { verified: false }))).body).toMatchObject(FAILED);
  });

  it.each(['no session', 'a session of somebody else', 'the session after it ended', 'the session after it expired'])(
    'the challenge of a second factor begins no session with %s',
    async (which) => {
      const { key, session, user_id } = await owner();
      const stranger = await provider.signIn('stranger@example.com', {});
      const asked = await ask('secondary', {}, session);
      if (which.endsWith('ended')) await provider.post('/sessions/revoke', {}, { session });
      if (which.endsWith('expired')) {
        const past = new Date(provider.clock.time - MINUTE);
        await provider.services.db
          .updateTable('sessions')
          .set({ expires_at: past })
          .where('user_id', '=', user_id)
          .execute();
      }
      const before = await sessionsOf(user_id);
      const shown = { 'no session': undefined, 'a session of somebody else': String(stranger['session_token']) };
      for (const verified of [false, true]) {
        const presented = which in shown ? shown[which as keyof typeof shown] : session;
        const reply = await answer(key.get(asked, { verified }), presented);
        expect([400, 401, 404]).toContain(reply.status);
        expect(reply.data['session_token']).toBeUndefined();
      }
      expect(await sessionsOf(user_id)).toBe(before);
    },
  );

  soakIt('the challenge of a second factor begins no session while the session is ended', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const { key, session, user_id } = await owner();
      const login = key.get(await ask('secondary', {}, session), { verified: false });
      const [reply] = await Promise.all([answer(login, session), provider.post('/sessions/revoke', {}, { session })]);
      expect(reply.status).toBeLessThan(500);
      const others = (await sessionsOf(user_id)) > 0;
      // Either the factor was first and rotated the session's token, or the session has ended.
      expect(others && reply.status !== 200).toBe(false);
      if (reply.status === 200) expect(reply.data['session'].authentication_factors.length).toBeGreaterThan(1);
    }
  });

  soakIt('an impersonation begins no session without user verification', async () => {
    const { key, email, user_id } = await owner();
    const { token } = await administer(provider.services, 'impersonate', { user: email });
    const { data } = await provider.post('/impersonation/authenticate', { impersonation_token: token });
    const session = String(data['session_token']);
    const before = await sessionsOf(user_id);
    const asked = await ask('secondary', {}, session);
    expect((await answer(key.get(asked, { verified: false }), session)).body).toMatchObject(UNKNOWN);
    expect(await sessionsOf(user_id)).toBe(before);
  });

  it('the owner can still answer a second factor without a PIN', async () => {
    const { key, session, user_id } = await owner({ return_passkey_credential_options: false });
    const asked = await ask('secondary', {}, session);
    const { status, data } = await answer(key.get(asked, { verified: false, userHandle: null }), session);
    expect([status, data['user_id']]).toEqual([200, user_id]);
  });

  it('a session refuses a passkey without the user verification that it asks for', async () => {
    const { key, session } = await owner();
    const asked = await ask('secondary', { return_passkey_credential_options: true }, session);
    expect(asked['userVerification']).toBe('required');
    expect((await answer(key.get(asked, { verified: false }), session)).body).toMatchObject(FAILED);
    expect((await answer(key.get(asked), session)).status).toBe(200);
  });
});
