import { describe, expect, it } from 'vitest';
import { exportFolder, lineOf, lossesOf, readExport, type Fields } from './export-files.ts';

const file = exportFolder();

const sub = (n: number): string => `a1b2c3d4-5678-90ab-cdef-${String(n).padStart(12, '0')}`;
const attributes = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([Name, Value]) => ({ Name, Value })); // prettier-ignore

/** As `aws cognito-idp list-users` prints it. */
function person(n: number, values: Readonly<Record<string, string>> = {}, more: Fields = {}): Fields {
  const email = { email: `user${n}@example.com`, email_verified: 'true' };
  return { Username: sub(n), Attributes: attributes({ sub: sub(n), ...email, ...values }), UserCreateDate: '2023-11-30T12:15:45.212000+01:00', UserLastModifiedDate: '2023-11-30T12:15:45.212000+01:00', Enabled: true, UserStatus: 'CONFIRMED', ...more }; // prettier-ignore
}

const google = JSON.stringify([{ userId: '108204268033311374519', providerName: 'Google', providerType: 'Google', issuer: null, primary: true, dateCreated: 1_700_000_000_000 }]); // prettier-ignore
const okta = JSON.stringify([{ userId: 'ada', providerName: 'okta', providerType: 'SAML', primary: true }]);
const EXTERNAL = { UserStatus: 'EXTERNAL_PROVIDER' };

const PEOPLE: readonly Fields[] = [
  person(1, { given_name: 'Ada', family_name: 'Lovelace' }),
  person(2, { email_verified: 'false' }, { UserStatus: 'UNCONFIRMED' }),
  person(3, { phone_number: '+14155550103', phone_number_verified: 'true' }),
  person(4, {}, { Attributes: attributes({ sub: sub(4), phone_number: '+14155550104', phone_number_verified: 'true' }) }), // prettier-ignore
  person(5, { identities: google }, { Username: 'Google_108204268033311374519', ...EXTERNAL }),
  person(6, { identities: google.replace('108', '208').replaceAll('Google', 'SignInWithApple') }, EXTERNAL),
  person(7, { identities: okta }, { Username: 'okta_ada', ...EXTERNAL }),
  person(8, {}, { Enabled: false }),
  person(9, {}, { Username: 'kate' }),
  person(10, { preferred_username: 'kate10' }),
  person(11, {}, { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] }),
  person(12, { 'custom:plan': 'gold', 'custom:lang': '' }),
  person(13, { name: 'Zo\u00eb \u{1F600} \u738b' }),
  person(14, {}, { UserStatus: 'FORCE_CHANGE_PASSWORD' }),
  person(15, {}, { UserStatus: 'RESET_REQUIRED' }),
  person(16, {}, { UserCreateDate: 1_490_177_000.123 }),
  person(17, { email: `${'a'.repeat(64)}@example.com` }),
  person(18, {}, { Username: 'User18@Example.com' }),
  person(19, {}, { Attributes: attributes({ sub: sub(19) }) }),
  person(20, { identities: google.replace('108', '308') }),
];

describe('an export of Cognito', () => {
  it('keeps contacts and social accounts, and loses passwords', async () => {
    const list = JSON.stringify({ Users: PEOPLE, PaginationToken: 'x' }, null, 4);
    const read = await readExport('cognito', [file('users.json', list)]);
    expect(read.wrong).toEqual([]);
    expect(read.users).toHaveLength(20);
    expect(lineOf(read, sub(1))).toEqual({
      external_id: sub(1),
      created_at: '2023-11-30T11:15:45.212Z',
      name: { first_name: 'Ada', last_name: 'Lovelace' },
      emails: [{ email: 'user1@example.com', verified: true }],
    });
    expect(lossesOf(read, sub(1))).toEqual(['password']);
    expect(lineOf(read, sub(2))).toMatchObject({ status: 'pending', emails: [{ verified: false }] });
    expect(lineOf(read, sub(3))).toMatchObject({ phone_numbers: [{ phone_number: '+14155550103', verified: true }] });
    expect(lineOf(read, sub(4))['emails']).toBeUndefined();
    expect(lineOf(read, sub(5))['social_accounts']).toEqual([{ provider: 'google', subject: '108204268033311374519', email: null }]); // prettier-ignore
    expect(lossesOf(read, sub(5)), 'nobody has a password of Google here').toEqual([]);
    expect(lineOf(read, sub(6))).toMatchObject({ social_accounts: [{ provider: 'apple' }] });
    expect(lossesOf(read, sub(7))).toEqual(['social account']);
    expect(lineOf(read, sub(8))).toMatchObject({ locked: true });
    expect(lossesOf(read, sub(9))).toEqual(['password', 'username']);
    expect(lossesOf(read, sub(10))).toEqual(['password', 'username']);
    expect(lossesOf(read, sub(11))).toEqual(['password', 'app']);
    expect(lineOf(read, sub(12))['untrusted_metadata']).toEqual({ plan: 'gold' });
    expect(lineOf(read, sub(13))['name']).toEqual({ first_name: 'Zo\u00eb \u{1F600} \u738b' });
    expect(lineOf(read, sub(16))['created_at']).toBe('2017-03-22T10:03:20.123Z');
    expect(lossesOf(read, sub(18)), 'the address as the name').toEqual(['password']);
    expect(lineOf(read, sub(20))['social_accounts']).toHaveLength(1);
  });

  it('is read from pages, from admin-get-user and from the CSV of an import job', async () => {
    const pages = [PEOPLE.slice(0, 10), PEOPLE.slice(10)].map((Users) => JSON.stringify({ Users }, null, 2)).join('\n'); // prettier-ignore
    expect((await readExport('cognito', [file('pages.json', pages)])).users).toHaveLength(20);
    const single = PEOPLE.map(({ Attributes, ...user }) => JSON.stringify({ ...user, UserAttributes: Attributes }));
    const read = await readExport('cognito', [file('single.ndjson', single.join('\n'))]);
    expect(lineOf(read, sub(1))).toMatchObject({ emails: [{ email: 'user1@example.com', verified: true }] });
    const csv = 'name,given_name,email,email_verified,phone_number,phone_number_verified,custom:plan,cognito:mfa_enabled,cognito:username\n,Ada,ada@example.com,TRUE,,,gold,FALSE,ada\n'; // prettier-ignore
    const job = await readExport('cognito', [file('job.csv', csv)]);
    expect(job.users.map(({ line }) => line)).toEqual([
      {
        external_id: 'ada',
        name: { first_name: 'Ada' },
        emails: [{ email: 'ada@example.com', verified: true }],
        untrusted_metadata: { plan: 'gold' },
      },
    ]);
    expect(lossesOf(job, 'ada')).toEqual(['password', 'username']);
  });

  it('names a record that is no user', async () => {
    const read = await readExport('cognito', [file('odd.json', JSON.stringify({ Users: [{ Attributes: [] }, ...PEOPLE.slice(0, 1)] }))]); // prettier-ignore
    expect(read.wrong).toMatchObject([{ number: 1 }]);
    expect(read.users).toHaveLength(1);
  });
});
