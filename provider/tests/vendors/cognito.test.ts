import { describe, expect, it } from 'vitest';
import { exportFolder, lineOf, lossesOf, readExport } from './export-files.ts';
import { PEOPLE, sub } from './people/cognito.ts';

const file = exportFolder();

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
