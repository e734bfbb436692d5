import { describe, expect, it } from 'vitest';
import { csvOf, exportFolder, lineOf, lossesOf, readExport } from './export-files.ts';
import { COLUMNS, DIGEST, id, PEOPLE } from './people/clerk.ts';

const file = exportFolder();

const csv = (): string => file('users.csv', csvOf(COLUMNS, PEOPLE.map(({ row }) => row))); // prettier-ignore
const api = (): string => file('users.json', JSON.stringify(PEOPLE.map(({ user }) => user))); // prettier-ignore

describe('an export of Clerk', () => {
  it('joins the CSV of the dashboard and the users of the API, in either order', async () => {
    for (const paths of [
      [csv(), api()],
      [api(), csv()],
    ]) {
      const read = await readExport('clerk', paths);
      expect(read.wrong).toEqual([]);
      expect(read.users).toHaveLength(20);
      expect(lineOf(read, id(1))).toEqual({
        external_id: id(1),
        created_at: '2023-11-14T22:13:20.000Z',
        name: { first_name: 'Ada', last_name: 'Lovelace' },
        emails: [{ email: 'user1@example.com', verified: true }],
        password: { hash: DIGEST, hash_type: 'bcrypt' },
      });
      expect(lineOf(read, id(2))['emails']).toEqual([{ email: 'user2@example.com', verified: false }]);
      expect(lineOf(read, id(3))['emails']).toEqual([
        { email: 'b@example.com', verified: true },
        { email: 'a@example.com', verified: true },
        { email: 'c@example.com', verified: false },
        { email: 'd@example.com', verified: false },
      ]);
      expect(lineOf(read, id(4))).toMatchObject({ phone_numbers: [{ phone_number: '+12125550104', verified: true }] });
      expect(lineOf(read, id(5))['totp']).toEqual({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', algorithm: 'SHA1', digits: 6, period: 30 }); // prettier-ignore
      expect(lossesOf(read, id(5))).toEqual(['recovery codes']);
      expect(lineOf(read, id(6))['social_accounts']).toEqual([{ provider: 'google', subject: '108204268033311374519', email: 'user@gmail.example' }]); // prettier-ignore
      expect(lineOf(read, id(7))).toMatchObject({ social_accounts: [{ provider: 'google', subject: '209' }] });
      expect(lineOf(read, id(8))['social_accounts'], 'never verified').toBeUndefined();
      expect(lineOf(read, id(9))['wallets']).toEqual([{ type: 'ethereum', address: '0x6df2dB4Fb3DA35d241901Bd53367770BF03123f1' }]); // prettier-ignore
      expect(lossesOf(read, id(10))).toEqual(['passkey']);
      expect(lineOf(read, id(11))['locked']).toBe(true);
      expect(lineOf(read, id(12))['locked'], 'a lock that ends by itself').toBeUndefined();
      expect(lineOf(read, id(13))['locked']).toBe(true);
      expect(lossesOf(read, id(14))).toEqual(['username']);
      expect(lossesOf(read, id(15))).toEqual(['password']);
      expect(lossesOf(read, id(16))).toEqual(['password', 'app']);
      expect(lineOf(read, id(17))).toMatchObject({ password: { hash_type: 'argon2id' }, trusted_metadata: { plan: 'gold' }, untrusted_metadata: { lang: 'fr' } }); // prettier-ignore
      expect(lossesOf(read, id(17)), 'private metadata').toEqual(['metadata']);
      expect(lineOf(read, id(18))).toMatchObject({ trusted_metadata: { clerk_external_id: 'crm-18' } });
      expect(lossesOf(read, id(20))).toEqual(['social account']);
    }
  });

  it('reads the users of the SDK, whose names have capitals', async () => {
    const camel = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(camel);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()).replace('providerUserId', 'externalId'), camel(each)])); // prettier-ignore
    };
    const sdk = file('sdk.json', JSON.stringify({ data: PEOPLE.map(({ user }) => camel(user)), totalCount: 20 }));
    const [plain, read] = [await readExport('clerk', [api(), csv()]), await readExport('clerk', [sdk, csv()])];
    const linesOf = ({ users }: typeof read) => users.map(({ line }) => line);
    const others = (lines: ReturnType<typeof linesOf>) => lines.filter((_, at) => at !== 6);
    expect(others(linesOf(read))).toEqual(others(linesOf(plain)));
  });

  it('says what one of the files alone lacks', async () => {
    const alone = await readExport('clerk', [csv()]);
    expect(lineOf(alone, id(1))).toMatchObject({ password: { hash: DIGEST }, emails: [{ verified: true }] });
    expect(alone.users[0]?.losses).toMatchObject([{ what: 'social account', reason: expect.stringContaining('bans') }]);
    const without = await readExport('clerk', [api()]);
    expect(without.users[0]?.losses).toMatchObject([{ what: 'password', reason: expect.stringContaining('CSV') }]);
  });

  it('keeps those who are in the CSV alone, and names a record without an id', async () => {
    const some = file('some.json', JSON.stringify([{ email_addresses: [] }, ...PEOPLE.slice(0, 5).map(({ user }) => user)])); // prettier-ignore
    const read = await readExport('clerk', [some, csv()]);
    expect(read.users).toHaveLength(20);
    expect(lineOf(read, id(20))).toMatchObject({ password: { hash: DIGEST } });
    expect(read.wrong).toMatchObject([{ number: 1, wrong: 'id is missing' }]);
  });
});
