import { emailKey } from '#server-rules/accounts.ts';
import { nameOf } from '../person/name.ts';
import { isLoss, vendorUser, type Passkey } from '../person/person.ts';
import { claimsOf, provenEmail, socialAccount, type SocialAccount } from '../person/social.ts';
import { ByUser, tablesOf, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import type { Row } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '../vendor.ts';

type TableName = 'Authenticator' | 'Account' | 'Session' | 'VerificationToken' | 'User';

const TABLES: readonly Table<TableName>[] = [
  { name: 'Authenticator', columns: ['userid', 'credentialid', 'credentialpublickey'] },
  { name: 'Account', columns: ['userid', 'provider', 'provideraccountid'] },
  // Nothing in these is imported.
  { name: 'Session', columns: ['userid', 'sessiontoken'] },
  { name: 'VerificationToken', columns: ['identifier', 'token', 'expires'] },
  { name: 'User', columns: ['id', ['email', 'emailverified']], hasUsers: true },
];

interface Login {
  readonly account: SocialAccount | Loss;
  /** The address that the provider verified, by the ID token in the row. */
  readonly email: string | null;
}

type Account = Login | Loss | { readonly credential_id: string };

/** Null for an account that is an address: the table of the users has it. */
function accountOf(row: Row): Account | null {
  const type = row.text('type') ?? '';
  if (type === 'email' || type === 'credentials') return null;
  if (type === 'webauthn') return { credential_id: row.requiredBytes('providerAccountId') };
  const provider = row.requiredText('provider');
  const claims = claimsOf(row.text('id_token'));
  const subject = row.requiredText('providerAccountId');
  return { account: socialAccount({ provider, subject, claims }), email: provenEmail(provider, claims) };
}

function passkeyOf(row: Row): Passkey {
  return {
    credential_id: row.requiredBytes('credentialID'),
    public_key: row.requiredBytes('credentialPublicKey'),
    counter: row.count('counter') ?? 0,
    transports: row.texts('transports'),
    // It is random, and not stored.
    user_handle: null,
    name: row.text('name'),
    created_at: row.time('createdAt'),
    backed_up: row.flag('credentialBackedUp'),
    backup_eligible: row.text('credentialDeviceType') === 'multiDevice',
  };
}

/** The columns of the adapters, and those that apps often add. */
const COLUMNS =
  'id name email emailVerified image createdAt updatedAt phone phoneNumber phoneVerified role roles banned password hashedPassword passwordHash username __v _class'.split(' '); // prettier-ignore

const METADATA: Loss = {
  what: 'metadata',
  reason: 'columns of your own stay in your database: Auth.js has no use for them',
};
const USERNAME: Loss = { what: 'username', reason: 'users log in with an address here: it is kept as metadata' };
const PASSKEY_MISSING: Loss = {
  what: 'passkey',
  reason: 'no file has the row of Authenticator of it: add that table with --also',
};

/** A time, or true in a database that stores no time. */
function isVerified(row: Row): boolean {
  const value = row.value('emailVerified');
  return typeof value === 'boolean' || value === 'true' || value === 'false'
    ? row.flag('emailVerified') === true
    : row.time('emailVerified') !== null;
}

interface Belongings {
  readonly accounts: ByUser<Account>;
  readonly passkeys: ByUser<Passkey | Loss>;
}

function userOf(row: Row, all: Belongings, rp_id: string | null): UserOfRecord {
  const id = row.requiredText('id');
  const accounts = all.accounts.of(id);
  const logins = accounts.filter((each): each is Login => 'account' in each);
  const passkeys = all.passkeys.of(id);
  const ids = new Set(passkeys.flatMap((each) => (isLoss(each) ? [] : [each.credential_id])));
  const email = row.text('email');
  // The column is empty for users of a social login alone.
  const isProven =
    email !== null && logins.some((each) => each.email !== null && emailKey(each.email) === emailKey(email));
  const phone = row.text('phoneNumber', 'phone');
  const hash = row.text('password', 'hashedPassword', 'passwordHash');
  const roles = [...row.texts('role'), ...row.texts('roles')];
  const username = row.text('username');
  const image = row.text('image');
  return vendorUser({
    id,
    created_at: row.time('createdAt'),
    emails: email === null ? [] : [{ email, verified: isVerified(row) || isProven }],
    phone_numbers: phone === null ? [] : [{ phone_number: phone, verified: false }],
    name: nameOf(row.text('name')),
    trusted_metadata: roles.length > 0 ? { roles } : {},
    untrusted_metadata: { ...(image === null ? {} : { image }), ...(username === null ? {} : { username }) },
    locked: row.flag('banned') ?? false,
    password: hash === null ? null : { hash },
    passkeys,
    rp_id,
    social_accounts: [...logins.map(({ account }) => account), ...accounts.filter(isLoss)],
    losses: [
      ...accounts.flatMap((each) => ('credential_id' in each && !ids.has(each.credential_id) ? [PASSKEY_MISSING] : [])),
      ...(Object.keys(row.others(COLUMNS)).length > 0 ? [METADATA] : []),
      ...(username === null ? [] : [USERNAME]),
    ],
  });
}

async function* users(files: readonly VendorFile[], options: VendorOptions): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Auth.js', TABLES, files);
  const accounts = await new ByUser<Account>().addAll(tables, 'Account', 'userId', (row) =>
    orLoss('social account', () => accountOf(row)),
  );
  const passkeys = await new ByUser<Passkey | Loss>().addAll(tables, 'Authenticator', 'userId', (row) =>
    orLoss('passkey', () => passkeyOf(row)),
  );
  yield* [...accounts.strays, ...passkeys.strays];
  yield* usersOf(tables, 'User', (row) => userOf(row, { accounts, passkeys }, options.rp_id));
}

/** Rows of the tables of an adapter of Auth.js (NextAuth). */
export const nextAuth: Vendor = { users };
