import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { makeTarget, MINUTES } from '../attacks/attacker.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { LoginBrowser } from '../kit/second-step.ts';
import { VENDORS } from '#provider/operation/vendors/vendors.ts';
import { vendorLine } from '#provider/operation/commands/vendor-line.ts';
import { exportFolder, readExport } from './export-files.ts';
import { importCommand } from './import-command.ts';
import { Logins } from './logins.ts';

const file = exportFolder();
const NUMBER = '+14155550142';
const HASH = '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.';
const PASSWORD = 'violet tractor moon 88';
const lines = (records: readonly Fields[]): string => records.map((record) => JSON.stringify(record)).join('\n');

/** A person with a number that only completed logins, as each product exports it. */
const USERS: Readonly<Record<string, (email: string) => Readonly<Record<string, string>>>> = {
  auth0: (email) => ({
    'users.json': lines([{ user_id: 'auth0|1', email, email_verified: true, identities: [{ provider: 'auth0', user_id: '1' }] }]), // prettier-ignore
    'hashes.json': lines([{ _id: { $oid: '1' }, passwordHash: HASH }]),
    'methods.json': lines([{ user_id: 'auth0|1', authentication_methods: [{ type: 'phone', confirmed: true, phone_number: NUMBER }] }]), // prettier-ignore
  }),
  firebase: (email) => ({
    'users.json': JSON.stringify({ users: [{ localId: '1', email, emailVerified: true, mfaInfo: [{ phoneInfo: NUMBER }] }] }), // prettier-ignore
  }),
  supabase: (email) => ({
    'users.json': lines([{ id: '1', email, encrypted_password: HASH, email_confirmed_at: '2024-01-01 00:00:00+00', raw_user_meta_data: {} }]), // prettier-ignore
    'factors.json': lines([{ id: 'f', user_id: '1', factor_type: 'phone', status: 'verified', phone: NUMBER.slice(1) }]), // prettier-ignore
  }),
  clerk: (email) => ({
    'users.json': lines([{ id: 'user_1', email_addresses: [{ email_address: email, verification: { status: 'verified' } }], external_accounts: [], phone_numbers: [{ phone_number: NUMBER, verification: { status: 'verified' }, reserved_for_second_factor: true }] }]), // prettier-ignore
  }),
};
const ASKED = { mfa: { policy: 'when_enrolled', factors: ['totp', 'sms'] } } as const;
const projectWith = (mfa: unknown) => ({ ...DEMO_PROJECT, mfa }) as typeof DEMO_PROJECT;
const RULES = { ...ASKED.mfa, trusted_devices: null, show_recovery_codes_again: false, recovery_hours: 24 };

describe('a number that was a second factor alone', () => {
  it.each(Object.keys(USERS))('becomes no way in by itself: %s', async (name) => {
    expect(Object.hasOwn(VENDORS, name)).toBe(true);
    const paths = Object.entries(USERS[name]?.('ada@example.com') ?? {}).map(([path, text]) => file(`${name}-${path}`, text)); // prettier-ignore
    const { users, wrong } = await readExport(name, paths, { rp_id: null, secret: null });
    expect(wrong).toEqual([]);
    const [user] = users;
    if (user === undefined) throw new Error('There is no user.');
    const plain = vendorLine(projectWith(null), user);
    expect(plain.line['phone_numbers'], 'logins need one factor').toEqual([]);
    expect(plain.losses).toContainEqual({ what: 'phone number', reason: expect.stringContaining('accept sms in mfa of the project file') }); // prettier-ignore
    const asked = vendorLine(projectWith(RULES), user);
    expect(asked.line['phone_numbers']).toEqual([{ phone_number: NUMBER, verified: true }]);
    const alone = vendorLine(projectWith(RULES), { ...user, line: { ...user.line, emails: [], password: undefined } });
    expect(alone.line['phone_numbers'], 'it would be the only way in').toEqual([]);
  });

  it('is an ordinary number if the person has proven it as one', async () => {
    const user = { localId: '1', phoneNumber: NUMBER, mfaInfo: [{ phoneInfo: NUMBER }] };
    const read = await readExport('firebase', [file('both.json', JSON.stringify({ users: [user] }))]);
    expect(read.users[0]).not.toHaveProperty('second_factor_numbers');
  });
});

describe.each(EITHER_DATABASE)('a second factor of another product, on %s', (_, url) => {
  it('completes a login with the password, and no code to it logs in alone', async () => {
    const provider = await makeTarget(url, {}, { ...ASKED, breach_detection: false });
    try {
      const paths = Object.entries(USERS['auth0']?.('ada@example.com') ?? {}).map(([path, text]) => file(path, text));
      const [main, ...also] = paths;
      const { lines: output } = await importCommand(provider)({ file: main, also, from: 'auth0' });
      expect(output.at(-1)).toBe('1 imported, 0 were there already, 0 refused.');
      const browser = new LoginBrowser(provider);
      const first = await browser.post('/passwords/authenticate', { email: 'ada@example.com', password: PASSWORD, ...MINUTES }); // prettier-ignore
      expect(first.data).toMatchObject({ session: null, mfa: { factors: ['sms'] } });
      const reply = await new Logins(provider).withCode(NUMBER);
      expect(reply.data).toMatchObject({ session: null });
    } finally {
      await provider.close();
    }
  });
});
