import { describe, expect, it } from 'vitest';
import { csvOf, exportFolder, lineOf, lossesOf, readExport, type Fields } from './export-files.ts';

const file = exportFolder();

/** The columns of the dashboard's export. */
const COLUMNS = ['id', 'first_name', 'last_name', 'username', 'primary_email_address', 'primary_phone_number', 'verified_email_addresses', 'unverified_email_addresses', 'verified_phone_numbers', 'unverified_phone_numbers', 'totp_secret', 'password_digest', 'password_hasher']; // prettier-ignore
/** Of the sample of Clerk's migration tool, with its password. */
const DIGEST = '$2b$10$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2';
const BCRYPT = { password_digest: DIGEST, password_hasher: 'bcrypt' };

const id = (n: number): string => `user_2YDryYFVMM1W1plDDKz7Gzf4w${String(n).padStart(2, '0')}`;
const verification = (status = 'verified'): Fields => ({ status, strategy: 'email_code', attempts: 1, expire_at: 1 });
const email = (n: number, address: string, status?: string): Fields => ({ id: `idn_${n}`, object: 'email_address', email_address: address, verification: verification(status), linked_to: [] }); // prettier-ignore

interface Person {
  readonly row: Fields;
  readonly user: Fields;
}

/** A person as a row of the CSV and as a user of the API. */
function person(n: number, row: Fields = {}, user: Fields = {}): Person {
  const address = `user${n}@example.com`;
  return {
    row: { id: id(n), primary_email_address: address, verified_email_addresses: address, ...row },
    user: { id: id(n), object: 'user', username: null, first_name: null, last_name: null, primary_email_address_id: `idn_${n}`, email_addresses: [email(n, address)], phone_numbers: [], web3_wallets: [], passkeys: [], external_accounts: [], saml_accounts: [], enterprise_accounts: [], public_metadata: {}, private_metadata: {}, unsafe_metadata: {}, password_enabled: row['password_digest'] !== undefined, totp_enabled: row['totp_secret'] !== undefined, backup_code_enabled: false, banned: false, locked: false, lockout_expires_in_seconds: null, created_at: 1_700_000_000_000, ...user }, // prettier-ignore
  };
}
const names = (first: string, last: string): Fields => ({ first_name: first, last_name: last });
const account = (provider: string, subject: string, status?: string): Fields => ({ object: 'external_account', provider, provider_user_id: subject, email_address: 'user@gmail.example', verification: verification(status) }); // prettier-ignore
const noEmail: Fields = { primary_email_address: '', verified_email_addresses: '' };
const phone = (number: string): Fields => ({ object: 'phone_number', phone_number: number, verification: verification(), reserved_for_second_factor: false }); // prettier-ignore

const PEOPLE: readonly Person[] = [
  person(1, { ...names('Ada', 'Lovelace'), ...BCRYPT }, names('Ada', 'Lovelace')),
  person(2, { verified_email_addresses: '', unverified_email_addresses: 'user2@example.com', ...BCRYPT }, { email_addresses: [email(2, 'user2@example.com', 'unverified')] }), // prettier-ignore
  person(3, { primary_email_address: 'b@example.com', verified_email_addresses: 'a@example.com|b@example.com', unverified_email_addresses: 'c@example.com, d@example.com' }, { primary_email_address_id: 'idn_32', email_addresses: [email(31, 'a@example.com'), email(32, 'b@example.com'), email(33, 'c@example.com', 'unverified'), email(34, 'd@example.com', 'unverified')] }), // prettier-ignore
  person(4, { ...noEmail, primary_phone_number: '+12125550104', verified_phone_numbers: '+12125550104' }, { email_addresses: [], phone_numbers: [phone('+12125550104')] }), // prettier-ignore
  person(5, { ...BCRYPT, totp_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }, { backup_code_enabled: true }),
  person(6, {}, { external_accounts: [account('oauth_google', '108204268033311374519')] }),
  person(7, {}, { external_accounts: [{ object: 'google_account', google_id: '209', email_address: 'x@gmail.example', verification: verification() }] }), // prettier-ignore
  person(8, {}, { external_accounts: [account('oauth_github', '583231', 'unverified')] }),
  person(9, {}, { web3_wallets: [{ web3_wallet: '0x6df2db4fb3da35d241901bd53367770bf03123f1', verification: verification() }] }), // prettier-ignore
  person(10, {}, { passkeys: [{ object: 'passkey', id: 'idn_p', name: 'Phone', verification: verification() }] }),
  person(11, BCRYPT, { banned: true }),
  person(12, BCRYPT, { locked: true, lockout_expires_in_seconds: 1_800 }),
  person(13, BCRYPT, { locked: true }),
  person(14, { username: 'kate' }, { username: 'kate' }),
  person(15, { password_digest: 'awscognito://us-east-1_x/1', password_hasher: 'awscognito' }),
  person(16, {}, { password_enabled: true, totp_enabled: true }),
  person(17, { password_digest: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$4wzrkrRbBTfcqtPpYnCjNl2Txr9PcvSjGVmrhqUiMMI', password_hasher: 'argon2id' }, { public_metadata: { plan: 'gold' }, unsafe_metadata: { lang: 'fr' }, private_metadata: { stripe: 'cus_1' } }), // prettier-ignore
  person(18, { ...names('Zo\u00eb \u{1F600}', '\u738b'), ...BCRYPT }, { ...names('Zo\u00eb \u{1F600}', '\u738b'), external_id: 'crm-18' }), // prettier-ignore
  person(19, { ...noEmail, username: 'nobody' }, { email_addresses: [], username: 'nobody' }),
  person(20, BCRYPT, { enterprise_accounts: [{ provider: 'saml_okta', verification: verification() }] }),
];

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
      expect(lineOf(read, id(9))['wallets']).toEqual([{ type: 'ethereum', address: '0x6df2db4fb3da35d241901bd53367770bf03123f1' }]); // prettier-ignore
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
