import { randomBytes } from 'node:crypto';
import { csvOf, type Fields } from '../export-files.ts';
import { argon2Text, bcryptText, digestOf, FIREBASE, firebaseHash, pbkdf2Key, SCRYPT, scryptKey, sshaText } from '../old-hashes.ts'; // prettier-ignore
import type { OldPerson, OldSystem } from '../old-people.ts';

/** The columns of the dashboard's export. */
export const COLUMNS = ['id', 'first_name', 'last_name', 'username', 'primary_email_address', 'primary_phone_number', 'verified_email_addresses', 'unverified_email_addresses', 'verified_phone_numbers', 'unverified_phone_numbers', 'totp_secret', 'password_digest', 'password_hasher']; // prettier-ignore
/** Of the sample of Clerk's migration tool, with its password. */
export const DIGEST = '$2b$10$U4C0ZY8OG8y41F9LusfKyu3HRMBL0rCZcKBVsXhgr.n8Ou6FPhzO2';
const BCRYPT = { password_digest: DIGEST, password_hasher: 'bcrypt' };

export const id = (n: number): string => `user_2YDryYFVMM1W1plDDKz7Gzf4w${String(n).padStart(2, '0')}`;
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

export const PEOPLE: readonly Person[] = [
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

const firebaseText = (password: string): string => {
  const salt = randomBytes(10);
  const { base64_signer_key: key, base64_salt_separator: separator, rounds, mem_cost } = FIREBASE;
  return [firebaseHash(password, salt, FIREBASE), salt.toString('base64'), key, separator, rounds, mem_cost].join('$');
};

/** The hashers that Clerk documents, each with the form of its digest. */
const HASHERS: readonly (readonly [hasher: string, digest: (password: string, salt: string) => Promise<string> | string])[] = [
  ['bcrypt', (password) => bcryptText(password)],
  ['argon2id', (password) => argon2Text(password)],
  ['argon2i', (password) => argon2Text(password, 'i')],
  ['pbkdf2_sha256', (password, salt) => `pbkdf2_sha256$1000$${Buffer.from(salt).toString('base64')}$${pbkdf2Key(password, salt, 'sha256').toString('base64')}`],
  ['pbkdf2_sha256_django', (password, salt) => `pbkdf2_sha256$1000$${salt}$${pbkdf2Key(password, salt, 'sha256').toString('base64')}`],
  ['pbkdf2_sha1', (password, salt) => `pbkdf2_sha1$1000$${Buffer.from(salt).toString('hex')}$${pbkdf2Key(password, salt, 'sha1', 32).toString('hex')}`],
  ['pbkdf2_sha512', (password, salt) => `pbkdf2_sha512$1000$${salt}$${pbkdf2Key(password, salt, 'sha512').toString('hex')}`],
  ['scrypt_werkzeug', (password, salt) => `scrypt:${SCRYPT.N}:8:1$${salt}$${scryptKey(password, salt, 64).toString('hex')}`],
  ['scrypt_firebase', firebaseText],
  ['bcrypt_peppered', async (password) => `${await bcryptText(`${password}pepper`)}$pepper`],
  ['sha256', (password) => digestOf(password, 'sha256').toString('hex')],
  ['sha256_salted', (password, salt) => `${salt}$${digestOf(password + salt, 'sha256').toString('hex')}`],
  ['md5', (password) => digestOf(password, 'md5').toString('hex')],
  ['md5_salted', (password, salt) => `${salt}$${digestOf(salt + password, 'md5').toString('hex')}`],
  ['ldap_ssha', sshaText],
]; // prettier-ignore

async function digestIn({ n, password }: OldPerson): Promise<Fields> {
  const [hasher, digest] = HASHERS[Math.floor(n / 2) % HASHERS.length] ?? [];
  if (password === null || digest === undefined) return {};
  return { password_digest: await digest(password, randomBytes(6).toString('hex')), password_hasher: hasher };
}

async function memberOf(old: OldPerson): Promise<Person> {
  const { n, first, last, emails, phone: number, app, social, wallet, isBlocked, metadata } = old;
  const cell = (verified: boolean): string => emails.filter((each) => each.verified === verified).map((each) => each.email).join('|'); // prettier-ignore
  const contacts: Fields = { primary_email_address: emails[0]?.email ?? '', verified_email_addresses: cell(true), unverified_email_addresses: cell(false), primary_phone_number: number ?? '', verified_phone_numbers: number ?? '' }; // prettier-ignore
  return person(n, { ...names(first, last), ...contacts, ...(app === null ? {} : { totp_secret: app.secret }), ...(await digestIn(old)) }, {
    ...names(first, last),
    email_addresses: emails.map((each, at) => email(at === 0 ? n : 10_000 + 10 * n + at, each.email, each.verified ? 'verified' : 'unverified')),
    phone_numbers: number === null ? [] : [phone(number)],
    external_accounts: social === null ? [] : [account(`oauth_${social.provider}`, social.subject)],
    web3_wallets: wallet === null ? [] : [{ web3_wallet: wallet.address, verification: verification() }],
    banned: isBlocked,
    unsafe_metadata: metadata,
  }); // prettier-ignore
}

export const CLERK: OldSystem = {
  features: ['password', 'app', 'social', 'wallet', 'phone', 'addresses'],
  providers: ['google', 'github', 'discord', 'apple', 'gitlab'],
  wallets: ['ethereum', 'solana'],
  idOf: id,
  async write(people) {
    const members = await Promise.all(people.map(memberOf));
    return {
      'users.json': JSON.stringify(members.map(({ user }) => user)),
      'users.csv': csvOf(COLUMNS, members.map(({ row }) => row)), // prettier-ignore
    };
  },
};
