import { randomBytes } from 'node:crypto';
import { csvOf, type Fields } from '../export-files.ts';
import { argon2Text, bcryptText, digestOf, SCRYPT, scryptKey } from '../old-hashes.ts';
import type { OldPerson, OldSystem } from '../old-people.ts';

/** The columns of stytch-node-export-users. */
export const COLUMNS = ['user_id', 'status', 'created_at', 'name', 'emails', 'phone_numbers', 'trusted_metadata', 'untrusted_metadata', 'providers', 'webauthn_registrations', 'biometric_registrations', 'totps', 'crypto_wallets', 'password']; // prettier-ignore
const NONE = { providers: [], webauthn_registrations: [], biometric_registrations: [], totps: [], crypto_wallets: [] };

export const id = (n: number): string => `user-live-00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const email = (address: string, verified = true): Fields => ({ email_id: 'email-live-1', email: address, verified });
const phone = (number: string, verified = true): Fields => ({ phone_id: 'phone-number-live-1', phone_number: number, verified }); // prettier-ignore
const PASSWORD = { password_id: 'password-live-1', requires_reset: false };

function person(n: number, more: Fields): Fields {
  const user = { user_id: id(n), status: 'active', created_at: '2024-01-11T09:54:59Z', name: { first_name: '', middle_name: '', last_name: '' }, emails: [], phone_numbers: [], trusted_metadata: {}, untrusted_metadata: {}, password: null }; // prettier-ignore
  return { ...user, ...NONE, ...more };
}

export const PEOPLE: readonly Fields[] = [
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
export const PUBLISHED = ['178d8ee5-c458-4f48-a482-8fefa30a1a87', '799ea981-b2bb-417f-afe8-4ab6e79fcd2a', 'c1be12e4-fc61-4e7a-8831-0fc14cb87b65']; // prettier-ignore
export const HEAD = 'scrypt hash parameters,,,,\nscryptCostParameter,1 << 15,,,\nscryptRParameter,8,,,\nscryptPParameter,1,,,\nscryptKeyLengthParamenter,32,,,\n,,,,\nid,hash,salt,hash_method,project_id\n'; // prettier-ignore
export const ROWS = [
  `user-test-${PUBLISHED[0] ?? ''},uiOC_BwbKta9R9QL6Ss6KTDpCcULh9_zhObl5j4398M=,BbV-sGQqUIX1NwE6uqtSITv4fa1iMw==,scrypt,project-test-1`,
  `user-test-${PUBLISHED[1] ?? ''},A6VzdsTsTHPqafORIb0GkGD6qFxdncqwA15YXRsVgvs=,XPapDAm6xdV5UhMpyPrSpy8FbfCDtA==,scrypt,project-test-1`,
  `${id(1)},8dg6AaIWPfcLTQU7lb4H-CI49dHeqaBXfFE1ogb2qRQ=,zKia-0BdIFKCzWbzXbj3qrhBnbiWNg==,scrypt,project-test-1`,
  `${id(2)},$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.,,bcrypt,project-test-1`,
];

/** A row of the file of hashes: those of Stytch itself, and those that it took over from another system. */
const HASHERS: readonly ((password: string) => Promise<readonly [hash: string, salt: string, method: string]>)[] = [
  async (password) => {
    const salt = `${randomBytes(16).toString('base64url')}==`;
    return [`${scryptKey(password, salt, 32).toString('base64url')}=`, salt, 'scrypt'];
  },
  async (password) => [await bcryptText(password), '', 'bcrypt'],
  async (password) => [await argon2Text(password), '', 'argon_2id'],
  async (password) => [await argon2Text(password, 'i'), '', 'argon_2i'],
  async (password) => [digestOf(`pepper${password}`, 'sha1').toString('hex'), 'pepper', 'sha_1'],
  async (password) => [digestOf(password, 'md5').toString('hex'), '', 'md_5'],
];

const PROVIDERS: Readonly<Record<string, string>> = { google: 'Google', github: 'Github', microsoft: 'Microsoft', apple: 'Apple', discord: 'Discord' }; // prettier-ignore

function userOf({ n, first, last, emails, phone: number, password, social, wallet, isBlocked, metadata }: OldPerson) {
  return person(n, {
    name: { first_name: first, middle_name: '', last_name: last },
    emails: emails.map((each) => email(each.email, each.verified)),
    phone_numbers: number === null ? [] : [phone(number)],
    untrusted_metadata: metadata,
    providers: social === null ? [] : [{ provider_type: PROVIDERS[social.provider], provider_subject: social.subject }],
    crypto_wallets: wallet === null ? [] : [{ crypto_wallet_address: wallet.address, crypto_wallet_type: wallet.type, verified: true }], // prettier-ignore
    password: password === null ? null : PASSWORD,
    is_locked: isBlocked,
  });
}

async function rowOf({ n, id: user, password }: OldPerson): Promise<readonly Fields[]> {
  if (password === null) return [];
  const hasher = HASHERS[Math.floor(n / 3) % HASHERS.length];
  const [hash, salt, hash_method] = (await hasher?.(password)) ?? [];
  return [{ id: user, hash, salt, hash_method, project_id: 'project-live-1' }];
}

/** As CSV, whose header is repeated, with the hashes of another cost. */
export const STYTCH: OldSystem = {
  features: ['password', 'social', 'wallet', 'phone', 'addresses'],
  providers: ['google', 'github', 'microsoft', 'apple', 'discord'],
  wallets: ['ethereum', 'solana'],
  idOf: id,
  async write(people) {
    const users = people.map(userOf);
    const columns = [...COLUMNS, 'is_locked'];
    const rows = await Promise.all(people.map(rowOf));
    return {
      'users.csv': `${csvOf(columns, users.slice(0, 10))}\n${csvOf(columns, users.slice(10))}\n`,
      'hashes.csv': `${HEAD.replace('1 << 15', `1 << ${Math.log2(SCRYPT.N)}`)}${csvOf(['id', 'hash', 'salt', 'hash_method', 'project_id'], rows.flat())}`,
    };
  },
};
