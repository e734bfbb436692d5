import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, otherThan } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const minutes = { session_duration_minutes: 60 };

describe.each(EITHER_DATABASE)('authenticator apps of the backend API, on %s', (_, database) => {
  let backend: Backend;
  let totps: Backend['client']['totps'];
  beforeAll(async () => {
    backend = await startBackend(database);
    totps = backend.client.totps;
  });
  afterAll(() => backend.close());

  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: backend.provider.clock.time });
  const signedIn = async (email: string) => backend.provider.signIn(email);
  /** A user with a new app; the clock is on a step that was not used yet. */
  const enrolled = async (email: string) => {
    backend.provider.clock.time += MINUTE;
    const { user_id, session_token } = await signedIn(email);
    return { session_token: String(session_token), ...(await totps.create({ user_id: String(user_id) })) };
  };

  it('are made for a user, verified by a code, and start a session', async () => {
    const made = await enrolled('new@example.com');
    const { user_id, totp_id } = made;
    expect(made.qr_code).toMatch(/^data:image\/png;base64,/u);
    expect(made.recovery_codes).toHaveLength(10);
    expect(made.user).toMatchObject({ user_id, totps: [{ totp_id, verified: false }] });
    const done = await totps.authenticate({ user_id, totp_code: codeOf(made.secret), ...minutes });
    expect(done).toMatchObject({
      user_id,
      totp_id,
      user: { totps: [{ totp_id, verified: true }] },
      session: { authentication_factors: [{ type: 'totp', authenticator_app_factor: { totp_id } }] },
    });
    const again = totps.create({ user_id });
    expect(await refusalOf(again)).toMatchObject({ error_type: 'active_totp_exists' });
  });

  it('add a factor to the session that is presented, which must be the user’s', async () => {
    const { user_id, secret, session_token } = await enrolled('joining@example.com');
    const stranger = await signedIn('stranger@example.com');
    const code = { user_id, totp_code: codeOf(secret) };
    const foreign = totps.authenticate({ ...code, session_token: String(stranger['session_token']) });
    expect(await refusalOf(foreign)).toMatchObject({ error_type: 'session_of_another_user' });
    const none = totps.authenticate({ ...code, session_token: 'none' });
    expect(await refusalOf(none)).toMatchObject({ status_code: 404, error_type: 'session_not_found' });
    const done = await totps.authenticate({ ...code, session_token });
    const factors = done.session?.authentication_factors.map(({ type }) => type);
    expect(factors).toEqual(['otp', 'totp']);
    expect(await refusalOf(totps.authenticate(code))).toMatchObject({ error_type: 'otp_code_not_found' });
  });

  it('can be used without a session', async () => {
    const { user_id, secret } = await enrolled('without@example.com');
    const done = await totps.authenticate({ user_id, totp_code: codeOf(secret) });
    expect(done).toMatchObject({ user_id, session: null, session_token: '', session_jwt: '' });
  });

  it('have recovery codes, each of which works once', async () => {
    const { user_id, secret, totp_id, recovery_codes } = await enrolled('recovery@example.com');
    const [code = '', other = ''] = recovery_codes;
    const early = totps.recover({ user_id, recovery_code: code });
    expect(await refusalOf(early)).toMatchObject({ error_type: 'recovery_code_not_found' });
    await totps.authenticate({ user_id, totp_code: codeOf(secret) });
    const done = await totps.recover({ user_id, recovery_code: code, ...minutes });
    expect(done).toMatchObject({
      totp_id,
      session: {
        authentication_factors: [
          {
            type: 'recovery_codes',
            recovery_code_factor: {
              totp_id,
              totp_recovery_code_id: expect.stringMatching(/^totp-recovery-code-test-/u) as string,
            },
          },
        ],
      },
    });
    expect(await refusalOf(totps.recover({ user_id, recovery_code: code }))).toMatchObject({
      status_code: 404,
      error_type: 'recovery_code_not_found',
    });
    const { totps: listed } = await totps.recoveryCodes({ user_id });
    expect(listed).toEqual([{ totp_id, verified: true, recovery_codes: expect.arrayContaining([other]) as string[] }]);
    expect(listed[0]?.recovery_codes).not.toContain(code);
  });

  it('are refused for a user who is unknown or has none, and after the time to verify them', async () => {
    const user_id = 'user-test-nobody';
    const unknown = [
      () => totps.create({ user_id }),
      () => totps.authenticate({ user_id, totp_code: '123456' }),
      () => totps.recover({ user_id, recovery_code: 'x' }),
      () => totps.recoveryCodes({ user_id }),
    ];
    for (const call of unknown) expect(await refusalOf(call())).toMatchObject({ error_type: 'user_not_found' });
    const plain = String((await signedIn('plain@example.com'))['user_id']);
    expect((await totps.recoveryCodes({ user_id: plain })).totps).toEqual([]);
    const none = totps.authenticate({ user_id: plain, totp_code: '123456' });
    expect(await refusalOf(none)).toMatchObject({ status_code: 404, error_type: 'totp_not_found' });
    const short = totps.create({ user_id: plain, expiration_minutes: 4 });
    expect(await refusalOf(short)).toMatchObject({ error_type: 'invalid_expiration_minutes' });
    const { secret } = await totps.create({ user_id: plain, expiration_minutes: 5 });
    backend.provider.clock.time += 6 * MINUTE;
    const late = totps.authenticate({ user_id: plain, totp_code: codeOf(secret) });
    expect(await refusalOf(late)).toMatchObject({ error_type: 'totp_not_found' });
  });

  soakIt('take five tries of a user without a session; a session of theirs has its own', async () => {
    const { user_id, secret, session_token } = await enrolled('tries@example.com');
    const totp_code = otherThan(codeOf(secret));
    for (let at = 0; at < 5; at += 1) await refusalOf(totps.authenticate({ user_id, totp_code }));
    const right = { user_id, totp_code: codeOf(secret) };
    expect(await refusalOf(totps.authenticate(right))).toMatchObject({
      status_code: 429,
      error_type: 'user_lock_limit_reached',
    });
    expect(await totps.authenticate({ ...right, session_token })).toMatchObject({ status_code: 200 });
  });
});
