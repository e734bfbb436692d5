import { describe, expect, it } from 'vitest';
import { exportFolder, lineOf, readExport, type Fields } from './export-files.ts';

const file = exportFolder();
const lines = (records: readonly Fields[]): string => records.map((record) => JSON.stringify(record)).join('\n');
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const APP = { secret: SECRET, algorithm: 'SHA1', digits: 6, period: 30 };
const user = (n: number): Fields => ({ user_id: `auth0|${n}`, email: `a${n}@example.com`, email_verified: true, identities: [{ provider: 'email', user_id: String(n) }], multifactor: ['guardian'] }); // prettier-ignore
const users = (): string => file('users.json', lines([1, 2, 3, 4, 5].map(user)));
const methods = (): string => file('methods.json', lines([1, 5].map((n) => ({ user_id: `auth0|${n}`, authentication_methods: [{ type: 'totp', confirmed: true }] })))); // prettier-ignore

/** The forms that other products read, and the one in which Auth0 imports enrolments. */
const SECRETS: readonly Fields[] = [
  { user_id: 'auth0|1', email: 'a1@example.com', mfa_factors: [{ type: 'totp', secret: SECRET }] },
  { user_id: 'auth0|2', mfa_factors: [{ totp: { secret: SECRET.toLowerCase() } }, { phone: { value: '+14155550102' } }, { email: { value: 'x@example.com' } }] }, // prettier-ignore
  { _id: { $oid: '3' }, totp_secret: SECRET },
  { user_id: 'auth0|4', mfa_factors: [{ totp: { secret: '0189' } }] },
];

describe('the MFA secrets that the support of Auth0 sends', () => {
  it('are joined with the users', async () => {
    const read = await readExport('auth0', [users(), file('secrets.json', lines(SECRETS)), methods()]);
    expect(read.wrong).toEqual([]);
    for (const n of [1, 2, 3]) {
      expect(lineOf(read, `auth0|${n}`), String(n)).toMatchObject({ totp: APP });
      expect(read.users[n - 1]?.losses, String(n)).toEqual([]);
    }
    expect(read.users[1]?.second_factor_numbers).toEqual(['+14155550102']);
    expect(read.users[3]?.losses).toEqual([{ what: 'app', reason: 'its secret must be base32', isDamaged: true }]);
    expect(read.users[4]?.losses, 'not in the file').toMatchObject([{ what: 'app', reason: expect.stringContaining('support') }]); // prettier-ignore
  });

  it('may be CSV, or in the file of the users', async () => {
    const csv = file('secrets.csv', `user_id,email,totp_secret\n'auth0|1,'a1@example.com,'${SECRET}\n`);
    const read = await readExport('auth0', [users(), csv]);
    expect(lineOf(read, 'auth0|1')).toMatchObject({ totp: APP });
    const bulk = { ...user(7), mfa_factors: [{ totp: { secret: SECRET } }] };
    expect(lineOf(await readExport('auth0', [file('bulk.json', lines([user(6), bulk]))]), 'auth0|7')).toMatchObject({ totp: APP }); // prettier-ignore
  });

  it('are named while they are missing', async () => {
    const read = await readExport('auth0', [users(), methods()]);
    expect(read.users[0]?.losses).toMatchObject([{ what: 'app', reason: expect.stringContaining('--also') }]);
    const without = await readExport('auth0', [users()]);
    expect(without.users[0]?.losses).toMatchObject([{ what: 'app', reason: expect.stringContaining('support') }]);
  });
});
