import { suite, type TestRunner } from '../runner.ts';
import {
  factorsOf,
  HOUR,
  MINUTE_MS,
  openTab,
  refusalOf,
  signedIn,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

/** Somebody who has confirmed an authenticator app. */
async function withApp(world: FlowWorld) {
  const { client } = await signedIn(world);
  const made = await client.totps.create({ expiration_minutes: 5 });
  await client.totps.authenticate({ totp_code: world.totpCodeFor(made.secret), ...HOUR });
  return { client, ...made };
}

const otherThan = (code: string): string => (code === '123456' ? '654321' : '123456');

/** Authenticator apps, and the codes for when the device is lost (specification, section 7). */
export function totpFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `authenticator apps: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('are added to the signed-in user, and confirmed by their first code', async (world) => {
        const { client } = await signedIn(world);
        const made = await client.totps.create({ expiration_minutes: 5 });
        expect('__user' in made).toBe(false);
        expect(made.qr_code.startsWith('data:image/')).toBe(true);
        expect(client.user.getSync()?.totps).toEqual([{ totp_id: made.totp_id, verified: false }]);
        const reply = await client.totps.authenticate({ totp_code: world.totpCodeFor(made.secret), ...HOUR });
        expect(reply.totp_id).toBe(made.totp_id);
        expect(client.user.getSync()?.totps).toEqual([{ totp_id: made.totp_id, verified: true }]);
        expect(factorsOf(client)).toEqual(['otp', 'totp']);
      });

      test('give each code once, and a new one after half a minute', async (world) => {
        const { client, secret } = await withApp(world);
        const used = { totp_code: world.totpCodeFor(secret), ...HOUR };
        expect(await refusalOf(client.totps.authenticate(used))).toBe('otp_code_not_found');
        world.passTime(MINUTE_MS / 2);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
      });

      test('are refused by a wrong, an old or no code at all', async (world) => {
        const { client, secret } = await withApp(world);
        const old = world.totpCodeFor(secret);
        world.passTime(5 * MINUTE_MS);
        const enter = (totp_code: string) => refusalOf(client.totps.authenticate({ totp_code, ...HOUR }));
        expect(await enter(otherThan(world.totpCodeFor(secret)))).toBe('otp_code_not_found');
        expect(await enter(old)).toBe('otp_code_not_found');
        expect(await enter('12345')).toBe('invalid_code');
      });

      test('must be confirmed in time, and only then shut others out', async (world) => {
        const { client } = await signedIn(world);
        const { secret } = await client.totps.create({ expiration_minutes: 5 });
        await client.totps.create({ expiration_minutes: 5 });
        world.passTime(5 * MINUTE_MS + 1);
        const late = { totp_code: world.totpCodeFor(secret), ...HOUR };
        expect(await refusalOf(client.totps.authenticate(late))).toBe('totp_not_found');
        const { client: other } = await withApp(world);
        expect(await refusalOf(other.totps.create({ expiration_minutes: 5 }))).toBe('active_totp_exists');
      });

      test('have recovery codes, each valid once', async (world) => {
        const { client, recovery_codes, totp_id } = await withApp(world);
        expect((await client.totps.recoveryCodes()).totps).toEqual([{ totp_id, verified: true, recovery_codes }]);
        const [recovery_code = ''] = recovery_codes;
        const reply = await client.totps.recover({ recovery_code, ...HOUR });
        expect(reply.totp_id).toBe(totp_id);
        expect(factorsOf(client)).toEqual(['otp', 'totp', 'recovery_codes']);
        const detail: unknown = reply.session?.authentication_factors.at(-1)?.['recovery_code_factor'];
        const { totp_recovery_code_id: used } = detail as { readonly totp_recovery_code_id: string };
        expect(detail).toEqual({ totp_id, totp_recovery_code_id: used });
        expect(used.startsWith('totp-recovery-code-test-')).toBe(true);
        expect(await refusalOf(client.totps.recover({ recovery_code, ...HOUR }))).toBe('recovery_code_not_found');
        const left = (await client.totps.recoveryCodes()).totps[0]?.recovery_codes;
        expect(left).toEqual(recovery_codes.slice(1));
      });

      test('are a second factor only: without a session there is nothing to add to', async (world) => {
        const { client } = openTab(world);
        expect(await refusalOf(client.totps.create({ expiration_minutes: 5 }))).toBe('user_unauthenticated');
        expect(await refusalOf(client.totps.authenticate({ totp_code: '123456', ...HOUR }))).toBe(
          'user_unauthenticated',
        );
        const { client: without } = await signedIn(world);
        expect(await refusalOf(without.totps.authenticate({ totp_code: '123456', ...HOUR }))).toBe('totp_not_found');
      });
    },
  );
}
