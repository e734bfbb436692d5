import { suite, type TestRunner } from '../runner.ts';
import { ROLES } from './project.ts';
import {
  factorsOf,
  HOUR,
  MINUTE_MS,
  openTab,
  refusalOf,
  signIn,
  signedIn,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

const PASSWORD = 'correct horse battery staple';
const ENTRY = { fields: { first_name: 'Ada', company: 'Analytical Engines' }, terms: { tos: '2' } };

interface Entry {
  readonly fields?: Readonly<Record<string, string>>;
  readonly terms?: Readonly<Record<string, string>>;
  readonly trust_device?: boolean;
}

/** Somebody whose login waits for their profile. */
async function waiting(world: FlowWorld) {
  const email = world.address('ada');
  const opened = openTab(world);
  const reply = await signIn(world, opened.client, email);
  const complete = async (entry: Entry) => opened.client.profile.complete({ user_id: reply.user_id, ...entry });
  return { ...opened, email, reply, complete };
}

/** The fields and terms that a project asks its users for. */
export function profileFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `a profile: ${name}`,
    () => makeWorld({ profile: true }),
    (test) => {
      test('a login that lacks it ends with what is asked for, and no session', async (world) => {
        const { client, reply } = await waiting(world);
        expect([reply.session, reply.user, reply.session_token, reply.session_jwt]).toEqual([null, null, '', '']);
        const { expires_at: _, ...step } = reply.mfa ?? { expires_at: '' };
        expect(step).toEqual({
          factors: [],
          phone_numbers: [],
          enrol: [],
          trusted_device_days: null,
          recovery: null,
          recovery_pending: null,
          profile: {
            user_id: reply.user_id,
            fields: [
              { field: 'first_name', label: null, required: true, options: null, value: '' },
              { field: 'company', label: { en: 'Company', de: 'Firma' }, required: true, options: null, value: '' },
              { field: 'role', label: 'Role', required: false, options: ROLES, value: '' },
            ],
            terms: [
              {
                terms_id: 'tos',
                version: '2',
                title: 'Terms of Service',
                url: 'https://acme.example/terms',
                accepted_at: null,
              },
            ],
          },
        });
        expect(client.session.getSync()).toBe(null);
        expect((await client.mfa.status()).mfa).toEqual(reply.mfa);
      });

      test('the answers complete it, and nobody asks again', async (world) => {
        const { client, email, complete } = await waiting(world);
        const { user } = await complete(ENTRY);
        expect(user.name).toEqual({ first_name: 'Ada', middle_name: '', last_name: '' });
        expect(user.untrusted_metadata).toEqual({ company: 'Analytical Engines' });
        expect(factorsOf(client)).toEqual(['otp']);
        expect(await refusalOf(client.mfa.status())).toBe('intermediate_session_not_found');
        await client.session.revoke();
        const again = await signIn(world, client, email);
        expect('mfa' in again).toBe(false);
      });

      test('what is missing or wrong stores nothing, and the login goes on', async (world) => {
        const { client, complete } = await waiting(world);
        expect(await refusalOf(complete({ fields: ENTRY.fields }))).toBe('profile_required');
        expect(await refusalOf(complete({ ...ENTRY, fields: { company: ' ', first_name: 'Ada' } }))).toBe(
          'invalid_profile',
        );
        expect(await refusalOf(complete({ ...ENTRY, terms: { tos: '1' } }))).toBe('invalid_profile');
        expect(await refusalOf(complete({ ...ENTRY, terms: { other: '1' } }))).toBe('invalid_profile');
        expect(await refusalOf(complete({ ...ENTRY, fields: { ...ENTRY.fields, role: 'Queen' } }))).toBe(
          'invalid_profile',
        );
        expect(await refusalOf(complete({ ...ENTRY, fields: { ...ENTRY.fields, x: 'y' } }))).toBe('invalid_profile');
        expect((await client.mfa.status()).mfa.profile?.fields.map(({ value }) => value)).toEqual(['', '', '']);
        await complete(ENTRY);
        expect(factorsOf(client)).toEqual(['otp']);
      });

      test('a reset of the password is complete before it asks', async (world) => {
        const { client, email } = await waiting(world);
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        const reset = await client.passwords.resetByEmail({ token, password: PASSWORD, ...HOUR });
        expect([reset.session, reset.mfa?.profile?.terms.length]).toEqual([null, 1]);
        const { client: later } = openTab(world);
        const login = await later.passwords.authenticate({ email, password: PASSWORD, ...HOUR });
        expect(login.mfa?.profile?.terms.length).toBe(1);
        await later.profile.complete({ user_id: login.user_id, ...ENTRY });
        expect(factorsOf(later)).toEqual(['password']);
      });

      test('it ends after ten minutes', async (world) => {
        const { client, reply, complete } = await waiting(world);
        world.passTime(10 * MINUTE_MS + 1);
        client.session.updateSession({ intermediate_session_token: reply.intermediate_session_token ?? '' });
        expect(await refusalOf(complete(ENTRY))).toBe('intermediate_session_not_found');
      });

      test('another browser cannot go on with it', async (world) => {
        const { client, reply, complete } = await waiting(world);
        const { client: thief } = openTab(world);
        thief.session.updateSession({ intermediate_session_token: reply.intermediate_session_token ?? '' });
        const entry = { user_id: reply.user_id, ...ENTRY };
        expect(await refusalOf(thief.profile.complete(entry))).toBe('intermediate_session_not_found');
        await complete(ENTRY);
        expect(factorsOf(client)).toEqual(['otp']);
      });

      test('is not stored for somebody else whose login another tab has begun', async (world) => {
        const first = await waiting(world);
        const second = await signIn(world, first.client, world.address('grace'));
        expect(await refusalOf(first.complete(ENTRY))).toBe('intermediate_session_not_found');
        const { user } = await first.client.profile.complete({ user_id: second.user_id, ...ENTRY });
        expect(user.user_id).toBe(second.user_id);
      });

      test('a user reads and changes it later, and cannot empty what is required', async (world) => {
        const { client, complete } = await waiting(world);
        await complete(ENTRY);
        const { profile } = await client.profile.get();
        expect(profile?.fields.map(({ value }) => value)).toEqual(['Ada', 'Analytical Engines', '']);
        expect(typeof profile?.terms[0]?.accepted_at).toBe('string');
        const { update } = client.profile;
        expect(await refusalOf(update({ fields: { company: '' } }))).toBe('invalid_profile');
        const changed = await update({ fields: { role: 'designer' } });
        expect(changed.profile.fields.map(({ value }) => value)).toEqual(['Ada', 'Analytical Engines', 'designer']);
        expect(changed.profile.terms).toEqual(profile?.terms);
        expect(client.user.getSync()?.untrusted_metadata).toEqual({ company: 'Analytical Engines', role: 'designer' });
        await update({ fields: { role: '' } });
        expect(client.user.getSync()?.untrusted_metadata).toEqual({ company: 'Analytical Engines' });
      });
    },
  );

  suite(
    { describe, it, expect },
    `a profile after a second factor: ${name}`,
    () => makeWorld({ profile: true, twoFactors: true }),
    (test) => {
      test('is asked for once both are proved, and the trust in the browser is kept', async (world) => {
        const { client, email, complete } = await waiting(world);
        await complete(ENTRY);
        const { secret } = await client.totps.create({ expiration_minutes: 5 });
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        await client.user.update({ untrusted_metadata: { company: null } });
        await client.session.revoke();
        world.passTime(MINUTE_MS / 2);
        const first = await signIn(world, client, email);
        expect([first.mfa?.factors, first.mfa?.profile]).toEqual([['totp', 'recovery_code'], undefined]);
        expect(await refusalOf(complete(ENTRY))).toBe('mfa_factor_not_allowed');
        const second = await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        expect(second.mfa?.profile?.fields.map(({ field }) => field)).toEqual(['company', 'role']);
        await complete({ fields: { company: 'Engines' }, trust_device: true });
        expect(factorsOf(client)).toEqual(['otp', 'totp']);
        expect((await client.mfa.trustedDevices()).devices.length).toBe(1);
      });
    },
  );

  suite(
    { describe, it, expect },
    `no profile: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('a project that asks for nothing has none', async (world) => {
        const { client } = await signedIn(world);
        expect((await client.profile.get()).profile).toBe(null);
        expect(await refusalOf(client.profile.update({ fields: {} }))).toBe('route_not_found');
        expect(await refusalOf(client.profile.complete({ user_id: 'user-test-1' }))).toBe(
          'intermediate_session_not_found',
        );
      });
    },
  );
}
