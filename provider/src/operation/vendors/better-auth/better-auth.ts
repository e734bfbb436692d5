import { parseJson } from '#domain/json.ts';
import { AppSecret } from './secret.ts';
import { nameOf } from '../person/name.ts';
import { isLoss, vendorUser, type Passkey, type Wallet } from '../person/person.ts';
import { claimsOf, socialAccount, type SocialAccount } from '../person/social.ts';
import { base32Of, base32Secret, totpApp, type App } from '../person/totp.ts';
import { ByUser, tablesOf, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import type { Row } from '../rows/row.ts';
import { orLoss } from '../rows/loss.ts';
import { Trial } from '../rows/trial.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '../vendor.ts';

type TableName = 'passkey' | 'twoFactor' | 'walletAddress' | 'account' | 'session' | 'verification' | 'user';

const TABLES: readonly Table<TableName>[] = [
  { name: 'passkey', columns: ['userid', 'credentialid', 'publickey'] },
  { name: 'twoFactor', columns: ['userid', 'secret', 'backupcodes'] },
  { name: 'walletAddress', columns: ['userid', 'address', 'chainid'] },
  { name: 'account', columns: ['userid', 'providerid', 'accountid'] },
  // Nothing in these is imported.
  { name: 'session', columns: ['userid', 'token', 'expiresat'] },
  { name: 'verification', columns: ['identifier', 'value', 'expiresat'] },
  { name: 'user', columns: ['id', 'email'], hasUsers: true },
];

type Account = SocialAccount | Loss | Wallet | { readonly hash: string };

/** Null for an account without a use here: a password that was never set. */
function accountOf(row: Row): Account | null {
  const provider = row.requiredText('providerId');
  if (provider === 'credential') {
    const hash = row.text('password');
    return hash === null ? null : { hash };
  }
  const subject = row.requiredText('accountId');
  // The id of an account is the address and the chain.
  if (provider === 'siwe') return { type: 'ethereum', address: subject.split(':')[0] ?? '' };
  return socialAccount({ provider, subject, claims: claimsOf(row.text('idToken')) });
}

function passkeyOf(row: Row): Passkey {
  return {
    credential_id: row.requiredBytes('credentialID'),
    public_key: row.requiredBytes('publicKey'),
    counter: row.count('counter') ?? 0,
    transports: row.texts('transports'),
    // It is random, and not stored.
    user_handle: null,
    name: row.text('name'),
    created_at: row.time('createdAt'),
    backed_up: row.flag('backedUp'),
    backup_eligible: row.text('deviceType') === 'multiDevice',
  };
}

interface AppRow {
  readonly verified: boolean | null;
  readonly app: App | Loss;
  readonly codes: readonly string[];
}

/** `base32:` begins a secret that was imported; others are the bytes of the text. */
const secretOf = (text: string): string | null =>
  text.startsWith('base32:') ? base32Secret(text.slice('base32:'.length)) : base32Of(text);

function codesIn(text: string | undefined): readonly string[] | undefined {
  const codes = text === undefined ? undefined : parseJson(text);
  return Array.isArray(codes) && codes.every((code) => typeof code === 'string') ? codes : undefined;
}

function appRowOf(row: Row, secret: AppSecret, trial: Trial): AppRow {
  const open = (text: string): string | undefined => {
    const opened = secret.open(text);
    trial.note(opened !== undefined);
    return opened;
  };
  const opened = open(row.requiredText('secret'));
  const base32 = opened === undefined ? null : secretOf(opened);
  if (base32 === null) throw row.fault('secret', 'encrypted with the secret of Better Auth: it is damaged');
  const stored = row.text('backupCodes') ?? '[]';
  // An app can store the codes as they are.
  const codes = codesIn(stored) ?? codesIn(open(stored));
  if (codes === undefined) throw row.fault('backupCodes', 'a JSON array of codes, encrypted or not: it is damaged');
  return { verified: row.flag('verified'), app: totpApp({ secret: base32 }), codes };
}

interface Belongings {
  readonly accounts: ByUser<Account>;
  readonly passkeys: ByUser<Passkey | Loss>;
  readonly appRows: ByUser<AppRow | Loss>;
  readonly wallets: ByUser<Wallet>;
  readonly hasAccounts: boolean;
}

/** The columns of the tables of Better Auth and its plugins that a line has in other fields, or has no use for. */
const COLUMNS =
  'id name email emailVerified createdAt updatedAt phoneNumber phoneNumberVerified twoFactorEnabled role banned banReason banExpires isAnonymous lastLoginMethod password'.split(' '); // prettier-ignore

/** Better Auth has an address for everybody, and makes one for those who gave none. */
function isPlaceholder(email: string, wallets: readonly Wallet[], isAnonymous: boolean): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  return isAnonymous || /\.invalid$/iu.test(email) || wallets.some(({ address }) => address.toLowerCase() === local);
}

const PASSWORDS_MISSING: Loss = {
  what: 'password',
  reason: 'no file has the rows of account: add that table with --also',
};
const APP_MISSING: Loss = { what: 'app', reason: 'the export has no confirmed row of twoFactor of it' };
const USERNAME: Loss = { what: 'username', reason: 'users log in with an address here: it is kept as metadata' };

function userOf(row: Row, all: Belongings, rp_id: string | null): UserOfRecord {
  const id = row.requiredText('id');
  const accounts = all.accounts.of(id);
  const wallets = [...all.wallets.of(id), ...accounts.filter((each): each is Wallet => 'address' in each)];
  const email = row.text('email');
  const isAnonymous = row.flag('isAnonymous') ?? false;
  const isOwn = email !== null && !isPlaceholder(email, wallets, isAnonymous);
  const phone = row.text('phoneNumber');
  const isOn = row.flag('twoFactorEnabled');
  const ofApp = isOn === false ? [] : all.appRows.of(id);
  const appRows = ofApp.filter((each): each is AppRow => !isLoss(each) && each.verified !== false);
  const damagedApps = ofApp.filter(isLoss);
  const [hash] = accounts.flatMap((each) => ('hash' in each ? [each.hash] : []));
  const banned = row.flag('banned') === true;
  const banEnd = row.time('banExpires');
  const roles = row.texts('role');
  const others = Object.entries(row.others(COLUMNS));
  return vendorUser({
    id,
    created_at: row.time('createdAt'),
    emails: isOwn ? [{ email, verified: row.flag('emailVerified') ?? false }] : [],
    phone_numbers: phone === null ? [] : [{ phone_number: phone, verified: row.flag('phoneNumberVerified') ?? false }],
    name: nameOf(row.text('name')),
    trusted_metadata: roles.length > 0 ? { roles } : {},
    untrusted_metadata: Object.fromEntries(others.filter((each) => !isSecret(each))),
    locked: banned && (banEnd === null || banEnd > Date.now()),
    password: hash === undefined ? null : { hash },
    apps: [...appRows.map(({ app }) => app), ...damagedApps],
    recovery_codes: appRows[0]?.codes ?? [],
    passkeys: all.passkeys.of(id),
    rp_id,
    social_accounts: accounts.filter((each) => 'provider' in each || 'what' in each),
    wallets,
    losses: [
      ...(all.hasAccounts ? [] : [PASSWORDS_MISSING]),
      ...(isOn === true && appRows.length + damagedApps.length === 0 ? [APP_MISSING] : []),
      ...(others.some(isSecret) ? [METADATA] : []),
      ...(row.text('username') === null ? [] : [USERNAME]),
    ],
  });
}

/** What the app added to its users. Columns of secrets are not metadata. */
const isSecret = ([name]: readonly [string, unknown]): boolean => /password|secret|token|hash/iu.test(name);
const METADATA: Loss = { what: 'metadata', reason: 'columns that may have secrets stay in your database' };

async function* users(files: readonly VendorFile[], options: VendorOptions): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Better Auth', TABLES, files);
  const secret = new AppSecret(options.secret);
  const trial = new Trial();
  const accounts = await new ByUser<Account>().addAll(tables, 'account', 'userId', (row) =>
    orLoss('social account', () => accountOf(row)),
  );
  const passkeys = await new ByUser<Passkey | Loss>().addAll(tables, 'passkey', 'userId', (row) =>
    orLoss('passkey', () => passkeyOf(row)),
  );
  const wallets = await new ByUser<Wallet>().addAll(tables, 'walletAddress', 'userId', (row) => {
    return { type: 'ethereum', address: row.requiredText('address') };
  });
  const appRows = await new ByUser<AppRow | Loss>().addAll(tables, 'twoFactor', 'userId', (row) =>
    orLoss('app', () => appRowOf(row, secret, trial)),
  );
  trial.check();
  yield* [accounts, passkeys, wallets, appRows].flatMap(({ strays }) => strays);
  // An empty table has no row by which it could be recognised.
  const hasAccounts = tables.some(({ table }) => table === 'account') || tables.length < files.length;
  const all = { accounts, passkeys, appRows, wallets, hasAccounts };
  yield* usersOf(tables, 'user', (row) => userOf(row, all, options.rp_id));
}

/** Rows of the tables of Better Auth, of any database. */
export const betterAuth: Vendor = { users };
