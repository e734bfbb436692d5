import { describe, expect, it } from 'vitest';
import { csvOf, exportFolder, lineOf, lossesOf, readExport, type Fields } from './export-files.ts';

/** The columns of stytch-node-export-users. */
const COLUMNS = ['user_id', 'status', 'created_at', 'name', 'emails', 'phone_numbers', 'trusted_metadata', 'untrusted_metadata', 'providers', 'webauthn_registrations', 'biometric_registrations', 'totps', 'crypto_wallets', 'password']; // prettier-ignore
const NONE = { providers: [], webauthn_registrations: [], biometric_registrations: [], totps: [], crypto_wallets: [] };

const id = (n: number): string => `user-live-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const email = (address: string, verified = true): Fields => ({ email_id: 'email-live-1', email: address, verified });
const phone = (number: string, verified = true): Fields => ({ phone_id: 'phone-number-live-1', phone_number: number, verified }); // prettier-ignore
const PASSWORD = { password_id: 'password-live-1', requires_reset: false };

function person(n: number, more: Fields): Fields {
  const user = { user_id: id(n), status: 'active', created_at: '2024-01-11T09:54:59Z', name: { first_name: '', middle_name: '', last_name: '' }, emails: [], phone_numbers: [], trusted_metadata: {}, untrusted_metadata: {}, password: null }; // prettier-ignore
  return { ...user, ...NONE, ...more };
}

const PEOPLE: readonly Fields[] = [
  person(1, { name: { first_name: 'Ada', middle_name: 'King', last_name: 'Lovelace' }, emails: [email('ada@example.com')], password: PASSWORD }), // prettier-ignore
  person(2, { emails: [email('grace@example.com', false)], password: { ...PASSWORD, requires_reset: true } }),
  person(3, { phone_numbers: [phone('+14155550103')] }),
  person(4, { name: { first_name: '\u738b', last_name: 'Zo\u00eb \u{1F600}' }, emails: [email('zoe@example.com')] }),
  person(5, { emails: [email('google@example.com')], providers: [{ oauth_user_registration_id: 'oauth-1', provider_type: 'Google', provider_subject: '10769150350006150715113082367' }] }), // prettier-ignore
  person(6, { emails: [email('two@example.com')], providers: [{ provider_type: 'Github', provider_subject: '583231' }, { provider_type: 'Microsoft', provider_subject: 'AAAA' }] }), // prettier-ignore
  person(7, { emails: [email('app@example.com')], totps: [{ totp_id: 'totp-live-1', verified: true }] }),
  person(8, { emails: [email('begun@example.com')], totps: [{ totp_id: 'totp-live-2', verified: false }] }),
  person(9, { emails: [email('key@example.com')], webauthn_registrations: [{ webauthn_registration_id: 'w1', domain: 'example.com', verified: true }] }), // prettier-ignore
  person(10, { crypto_wallets: [{ crypto_wallet_id: 'c1', crypto_wallet_address: '0x6df2dB4Fb3DA35d241901Bd53367770BF03123f1', crypto_wallet_type: 'ethereum', verified: true }] }), // prettier-ignore
  person(11, { crypto_wallets: [{ crypto_wallet_address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', crypto_wallet_type: 'solana', verified: true }] }), // prettier-ignore
  person(12, { emails: [email('pending@example.com', false)], status: 'pending' }),
  person(13, { emails: [email('meta@example.com')], trusted_metadata: { plan: 'gold, "24"' }, untrusted_metadata: { lang: 'fr' } }), // prettier-ignore
  person(14, { emails: [email('phones@example.com')], biometric_registrations: [{ biometric_registration_id: 'b1', verified: true }] }), // prettier-ignore
  person(15, { emails: [email('Twice@Example.com', false), email('twice@example.com')] }),
  person(16, { emails: [email(`${'a'.repeat(64)}@example.com`)], phone_numbers: [phone('+442071838750', false)] }),
  person(17, { emails: [email('big@example.com')], untrusted_metadata: { text: 'x'.repeat(5_000) } }),
  person(18, { emails: [email('odd@example.com')], providers: [{ provider_type: 'Kakao', provider_subject: '1' }] }),
  person(19, {}),
  // Older users lack whole fields.
  { user_id: id(20), created_at: '2021-03-01T00:00:00+02:00', emails: [email('old@example.com')] },
];

/** Three users whose password hash Stytch sent, as FusionAuth published it with their passwords. */
const PUBLISHED = ['178d8ee5-c458-4f48-a482-8fefa30a1a87', '799ea981-b2bb-417f-afe8-4ab6e79fcd2a', 'c1be12e4-fc61-4e7a-8831-0fc14cb87b65']; // prettier-ignore
const HEAD = 'scrypt hash parameters,,,,\nscryptCostParameter,1 << 15,,,\nscryptRParameter,8,,,\nscryptPParameter,1,,,\nscryptKeyLengthParamenter,32,,,\n,,,,\nid,hash,salt,hash_method,project_id\n'; // prettier-ignore
const ROWS = [
  `user-test-${PUBLISHED[0] ?? ''},uiOC_BwbKta9R9QL6Ss6KTDpCcULh9_zhObl5j4398M=,BbV-sGQqUIX1NwE6uqtSITv4fa1iMw==,scrypt,project-test-1`,
  `user-test-${PUBLISHED[1] ?? ''},A6VzdsTsTHPqafORIb0GkGD6qFxdncqwA15YXRsVgvs=,XPapDAm6xdV5UhMpyPrSpy8FbfCDtA==,scrypt,project-test-1`,
  `${id(1)},8dg6AaIWPfcLTQU7lb4H-CI49dHeqaBXfFE1ogb2qRQ=,zKia-0BdIFKCzWbzXbj3qrhBnbiWNg==,scrypt,project-test-1`,
  `${id(2)},$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.,,bcrypt,project-test-1`,
];

const file = exportFolder();
const users = (): string => file('users.json', JSON.stringify(PEOPLE, null, 2));

describe('an export of Stytch', () => {
  it('keeps ids, contacts, social accounts and wallets, and names what has no form in it', async () => {
    const read = await readExport('stytch', [users()]);
    expect(read.wrong).toEqual([]);
    expect(read.users).toHaveLength(20);
    expect(lineOf(read, id(1))).toEqual({
      user_id: id(1),
      created_at: '2024-01-11T09:54:59.000Z',
      name: { first_name: 'Ada', middle_name: 'King', last_name: 'Lovelace' },
      emails: [{ email: 'ada@example.com', verified: true }],
    });
    expect(lossesOf(read, id(1))).toEqual(['password']);
    expect(lineOf(read, id(2))['emails']).toEqual([{ email: 'grace@example.com', verified: false }]);
    expect(lineOf(read, id(3))).toMatchObject({ phone_numbers: [{ phone_number: '+14155550103', verified: true }] });
    expect(lineOf(read, id(4))).toMatchObject({ name: { first_name: '\u738b', last_name: 'Zo\u00eb \u{1F600}' } });
    expect(lineOf(read, id(5))['social_accounts']).toEqual([{ provider: 'google', subject: '10769150350006150715113082367', email: null }]); // prettier-ignore
    expect(lineOf(read, id(6))).toMatchObject({ social_accounts: [{ provider: 'github' }, { provider: 'microsoft' }] });
    expect(lossesOf(read, id(7))).toEqual(['app', 'recovery codes']);
    expect(lossesOf(read, id(8)), 'an app that was never verified').toEqual([]);
    expect(lossesOf(read, id(9))).toEqual(['passkey']);
    expect(lineOf(read, id(10))['wallets']).toEqual([{ type: 'ethereum', address: '0x6df2dB4Fb3DA35d241901Bd53367770BF03123f1' }]); // prettier-ignore
    expect(lineOf(read, id(11))).toMatchObject({ wallets: [{ type: 'solana' }] });
    expect(lineOf(read, id(12))).toMatchObject({ status: 'pending' });
    expect(lineOf(read, id(13))).toMatchObject({ trusted_metadata: { plan: 'gold, "24"' }, untrusted_metadata: { lang: 'fr' } }); // prettier-ignore
    expect(lossesOf(read, id(14))).toEqual(['passkey']);
    expect(lineOf(read, id(15))['emails'], 'one person').toEqual([{ email: 'twice@example.com', verified: true }]);
    expect(lossesOf(read, id(17))).toEqual(['metadata']);
    expect(lossesOf(read, id(18))).toEqual(['social account']);
    expect(lineOf(read, id(20))).toMatchObject({ created_at: '2021-02-28T22:00:00.000Z' });
  });

  it('is the same from CSV, whose header is repeated', async () => {
    const [json, csv] = [PEOPLE.slice(0, 19), csvOf(COLUMNS, PEOPLE.slice(0, 12))];
    const rest = csvOf(COLUMNS, PEOPLE.slice(12, 19));
    const fromCsv = await readExport('stytch', [file('users.csv', `${csv}\n${rest}\n`)]);
    const fromJson = await readExport('stytch', [file('some.json', JSON.stringify(json))]);
    expect(fromCsv.wrong).toEqual([]);
    expect(fromCsv.users.map(({ line, losses }) => ({ line, losses }))).toEqual(fromJson.users.map(({ line, losses }) => ({ line, losses }))); // prettier-ignore
  });

  it.each([
    ['with the rows above it', HEAD],
    ['without a header', ''],
  ])('takes the hashes from their file, %s, in either order', async (_, head) => {
    const hashes = file('hashes.csv', head + ROWS.join('\n'));
    for (const paths of [
      [users(), hashes],
      [hashes, users()],
    ]) {
      const read = await readExport('stytch', paths);
      expect(read.wrong).toEqual([]);
      expect(lineOf(read, id(1))['password']).toMatchObject({
        hash: '8dg6AaIWPfcLTQU7lb4H-CI49dHeqaBXfFE1ogb2qRQ=',
        salt: 'zKia-0BdIFKCzWbzXbj3qrhBnbiWNg==',
        hash_type: 'scrypt_stytch',
        ...(head === '' ? {} : { scrypt_config: { n_parameter: 32_768, r_parameter: 8, p_parameter: 1, key_length: 32 } }), // prettier-ignore
      });
      expect(lossesOf(read, id(1))).toEqual([]);
      expect(lineOf(read, id(2))['password']).toEqual({ hash: '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.', requires_reset: true }); // prettier-ignore
    }
  });

  it('names a user whose hash is not in the file, and a record without an id', async () => {
    const hashes = file('few.csv', HEAD + ROWS.slice(0, 2).join('\n'));
    const broken = file('broken.json', JSON.stringify([...PEOPLE.slice(0, 2), { emails: [] }]));
    const read = await readExport('stytch', [broken, hashes]);
    expect(read.users[0]?.losses).toEqual([{ what: 'password', reason: 'the file of hashes has none of this user' }]);
    expect(read.wrong).toMatchObject([{ number: 3, wrong: 'user_id is missing' }]);
  });

  it('refuses a file of something else', async () => {
    const other = file('other.csv', 'colour,size\nred,1\n');
    await expect(readExport('stytch', [users(), other])).rejects.toThrow(/other\.csv has the fields of no file/u);
  });
});
