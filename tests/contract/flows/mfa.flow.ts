import { suite, type TestRunner } from '../runner.ts';
import { HOUR, MINUTE_MS, openTab, refusalOf, factorsOf, signIn, type FlowWorld, type MakeFlowWorld } from './world.ts';

/** Somebody who has an authenticator app, and is signed out. A code works once, so the next one is due. */
async function enrolled(world: FlowWorld) {
  const email = world.address('ada');
  const opened = openTab(world);
  await signIn(world, opened.client, email);
  const { secret, recovery_codes } = await opened.client.totps.create({ expiration_minutes: 5 });
  await opened.client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
  await opened.client.session.revoke();
  world.passTime(MINUTE_MS / 2);
  return { ...opened, email, secret, recovery_codes };
}

/** The second factor of a login, in a project that requires it of everybody who has one. */
export function mfaFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `two factors: ${name}`,
    () => makeWorld({ twoFactors: true }),
    (test) => {
      test('a login with one factor ends with the step that it lacks, and no session', async (world) => {
        const { client, email } = await enrolled(world);
        const reply = await signIn(world, client, email);
        expect([reply.session, reply.user, reply.session_token, reply.session_jwt]).toEqual([null, null, '', '']);
        const { expires_at: _, ...step } = reply.mfa ?? { expires_at: '' };
        expect(step).toEqual({
          factors: ['totp', 'recovery_code'],
          phone_numbers: [],
          enrol: [],
          trusted_device_days: 30,
          recovery: { hours: 24 },
          recovery_pending: null,
        });
        expect(client.session.getSync()).toBe(null);
        expect((await client.mfa.status()).mfa).toEqual(reply.mfa);
      });

      test('the authenticator app completes it, with both factors in the session', async (world) => {
        const { client, email, secret } = await enrolled(world);
        await signIn(world, client, email);
        const totp_code = world.totpCodeFor(secret) === '000000' ? '111111' : '000000';
        expect(await refusalOf(client.totps.authenticate({ totp_code, ...HOUR }))).toBe('otp_code_not_found');
        const reply = await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        expect(factorsOf(client)).toEqual(['otp', 'totp']);
        expect('mfa' in reply).toBe(false);
        expect(await refusalOf(client.mfa.status())).toBe('intermediate_session_not_found');
      });

      test('so does a recovery code, once', async (world) => {
        const { client, email, recovery_codes } = await enrolled(world);
        const [recovery_code = ''] = recovery_codes;
        await signIn(world, client, email);
        await client.totps.recover({ recovery_code, ...HOUR });
        expect(factorsOf(client)).toEqual(['otp', 'recovery_codes']);
        await client.session.revoke();
        await signIn(world, client, email);
        expect(await refusalOf(client.totps.recover({ recovery_code, ...HOUR }))).toBe('recovery_code_not_found');
      });

      test('it ends after ten minutes', async (world) => {
        const { client, email, secret } = await enrolled(world);
        const { intermediate_session_token: token = '' } = await signIn(world, client, email);
        world.passTime(10 * MINUTE_MS + 1);
        client.session.updateSession({ intermediate_session_token: token });
        const late = { totp_code: world.totpCodeFor(secret), ...HOUR };
        expect(await refusalOf(client.totps.authenticate(late))).toBe('intermediate_session_not_found');
      });

      test('another browser cannot go on with it', async (world) => {
        const { client, email, secret } = await enrolled(world);
        const { intermediate_session_token: token = '' } = await signIn(world, client, email);
        const { client: thief } = openTab(world);
        thief.session.updateSession({ intermediate_session_token: token });
        const entered = { totp_code: world.totpCodeFor(secret), ...HOUR };
        expect(await refusalOf(thief.totps.authenticate(entered))).toBe('intermediate_session_not_found');
        expect(await refusalOf(thief.mfa.status())).toBe('intermediate_session_not_found');
        await client.totps.authenticate(entered);
        expect(factorsOf(client)).toEqual(['otp', 'totp']);
      });

      test('a trusted browser needs one factor, until a login method changes', async (world) => {
        const { client, email, secret } = await enrolled(world);
        await signIn(world, client, email);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), trust_device: true, ...HOUR });
        const { devices } = await client.mfa.trustedDevices();
        expect(devices.length).toBe(1);
        await client.session.revoke();
        await signIn(world, client, email);
        expect(factorsOf(client)).toEqual(['otp', 'trusted_device']);
        await client.session.revoke();

        const { client: other } = openTab(world);
        await signIn(world, other, email);
        expect(other.session.getSync()).toBe(null);
        world.passTime(MINUTE_MS / 2);
        await other.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        const idsOf = async () => (await other.mfa.trustedDevices()).devices.map(({ device_id }) => device_id);
        expect(await idsOf()).toEqual(devices.map(({ device_id }) => device_id));
        await other.passwords.resetBySession({ password: 'correct horse battery', ...HOUR });
        expect((await other.mfa.trustedDevices()).devices).toEqual([]);
        await signIn(world, client, email);
        expect(client.session.getSync()).toBe(null);
      });

      test('the user can end the trust in a browser', async (world) => {
        const { client, email, secret } = await enrolled(world);
        await signIn(world, client, email);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), trust_device: true, ...HOUR });
        const [device] = (await client.mfa.trustedDevices()).devices;
        expect(await refusalOf(client.mfa.removeTrustedDevice('trusted-device-test-none'))).toBe(
          'trusted_device_not_found',
        );
        await client.mfa.removeTrustedDevice(device?.device_id ?? '');
        expect((await client.mfa.trustedDevices()).devices).toEqual([]);
        await client.session.revoke();
        expect((await signIn(world, client, email)).session).toBe(null);
      });

      test('who lost the second factor begins a recovery that waits, once', async (world) => {
        const { client, email } = await enrolled(world);
        await signIn(world, client, email);
        const { recovery_id, available_at } = await client.mfa.startRecovery();
        const again = await client.mfa.startRecovery();
        expect([again.recovery_id, again.available_at]).toEqual([recovery_id, available_at]);
        expect((await client.mfa.status()).mfa.recovery_pending).toEqual({ available_at });
        expect(client.session.getSync()).toBe(null);
        expect((await signIn(world, client, email)).mfa?.recovery_pending).toEqual({ available_at });
        expect(await refusalOf(openTab(world).client.mfa.startRecovery())).toBe('intermediate_session_not_found');
      });

      test('a login of two factors stops a recovery that waits', async (world) => {
        const { client, email, secret } = await enrolled(world);
        await signIn(world, client, email);
        await client.mfa.startRecovery();
        world.passTime(MINUTE_MS / 2);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        await client.session.revoke();
        expect((await signIn(world, client, email)).mfa?.recovery_pending).toBe(null);
      });

      test('the user sees the recovery that waits, and stops it with the second factor', async (world) => {
        const { client, email, secret } = await enrolled(world);
        await signIn(world, client, email);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        const { client: lost } = openTab(world);
        await signIn(world, lost, email);
        const { recovery_id, available_at } = await lost.mfa.startRecovery();
        expect(await refusalOf(lost.mfa.recovery())).toBe('user_unauthenticated');
        expect(await refusalOf(lost.mfa.stopRecovery())).toBe('user_unauthenticated');
        expect((await client.mfa.recovery()).recovery).toEqual({ recovery_id, available_at });
        await client.mfa.stopRecovery();
        expect((await client.mfa.recovery()).recovery).toBe(null);
        // There is nothing left to stop.
        await client.mfa.stopRecovery();
        expect((await lost.mfa.status()).mfa.recovery_pending).toBe(null);
      });

      test('the user sees how many recovery codes are left, and makes new ones, which end the others', async (world) => {
        const { client, email, recovery_codes } = await enrolled(world);
        const { client: other } = openTab(world);
        await signIn(world, other, world.address('bob'));
        expect((await other.mfa.recoveryCodes()).recovery_codes).toBe(null);
        expect(await refusalOf(other.mfa.renewRecoveryCodes())).toBe('totp_not_found');
        await signIn(world, client, email);
        expect(await refusalOf(client.mfa.renewRecoveryCodes())).toBe('user_unauthenticated');
        await client.totps.recover({ recovery_code: recovery_codes[0] ?? '', ...HOUR });
        expect((await client.mfa.recoveryCodes()).recovery_codes).toEqual({ left: 9, can_be_shown: false });
        expect(await refusalOf(client.totps.recoveryCodes())).toBe('recovery_codes_shown_once');
        const made = (await client.mfa.renewRecoveryCodes()).recovery_codes;
        expect((await client.mfa.recoveryCodes()).recovery_codes).toEqual({ left: 10, can_be_shown: false });
        await client.session.revoke();
        await signIn(world, client, email);
        const old = { recovery_code: recovery_codes[1] ?? '', ...HOUR };
        expect(await refusalOf(client.totps.recover(old))).toBe('recovery_code_not_found');
        await client.totps.recover({ recovery_code: made[0] ?? '', ...HOUR });
        expect(factorsOf(client)).toEqual(['otp', 'recovery_codes']);
      });

      test('a user neither sees nor stops the recovery of another one', async (world) => {
        const { client, email } = await enrolled(world);
        await signIn(world, client, email);
        await client.mfa.startRecovery();
        const { client: other } = openTab(world);
        await signIn(world, other, world.address('bob'));
        expect((await other.mfa.recovery()).recovery).toBe(null);
        await other.mfa.stopRecovery();
        expect((await client.mfa.status()).mfa.recovery_pending !== null).toBe(true);
      });

      test('somebody without a second factor needs none', async (world) => {
        const { client } = openTab(world);
        await signIn(world, client);
        expect(factorsOf(client)).toEqual(['otp']);
      });
    },
  );

  suite(
    { describe, it, expect },
    `two factors for everybody: ${name}`,
    () => makeWorld({ twoFactors: 'required' }),
    (test) => {
      test('the first login adds a factor: an authenticator app', async (world) => {
        const { client } = openTab(world);
        const reply = await signIn(world, client);
        expect([reply.mfa?.factors, reply.mfa?.enrol]).toEqual([[], ['webauthn', 'totp', 'sms']]);
        const { secret, recovery_codes } = await client.totps.create({ expiration_minutes: 5 });
        expect(recovery_codes.length).toBe(10);
        expect(client.session.getSync()).toBe(null);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        expect(factorsOf(client)).toEqual(['otp', 'totp']);
      });

      test('or a phone, which gets a code at the next login', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        await signIn(world, client, email);
        const phone_number = world.phoneNumber();
        const { method_id } = await client.mfa.addPhone({ phone_number, channel: 'sms' });
        await client.otps.authenticate(await world.codeFor(phone_number), method_id, HOUR);
        expect(factorsOf(client)).toEqual(['otp', 'otp']);
        await client.session.revoke();

        const { mfa } = await signIn(world, client, email);
        expect(mfa?.factors).toEqual(['sms']);
        const [phone] = mfa?.phone_numbers ?? [];
        expect(phone?.phone_number.endsWith(phone_number.slice(-2))).toBe(true);
        expect(phone?.phone_number.includes(phone_number.slice(3, 8))).toBe(false);
        const sent = await client.mfa.sendCode({ phone_id: phone?.phone_id ?? '', channel: 'sms' });
        await client.otps.authenticate(await world.codeFor(phone_number), sent.method_id, HOUR);
        expect(factorsOf(client)).toEqual(['otp', 'otp']);
      });

      test('or a passkey, which is enough by itself from then on', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        await signIn(world, client, email);
        await client.webauthn.register({ is_passkey: true, ...HOUR });
        expect(factorsOf(client)).toEqual(['otp', 'webauthn']);
        await client.session.revoke();
        await client.webauthn.authenticate({ is_passkey: true, ...HOUR });
        expect(factorsOf(client)).toEqual(['webauthn']);
        await client.session.revoke();
        await signIn(world, client, email);
        await client.webauthn.authenticate({ is_passkey: true, ...HOUR });
        expect(factorsOf(client)).toEqual(['otp', 'webauthn']);
      });
    },
  );
}
