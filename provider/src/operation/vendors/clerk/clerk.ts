import { nameOfParts } from '../person/name.ts';
import type { OldEmail, OldPhone } from '../person/contacts.ts';
import { contactsOf, mergedCells } from './contacts.ts';
import { vendorUser, withoutEmpty, type Wallet } from '../person/person.ts';
import { COMPANY_LOGIN, socialAccount, type SocialAccount } from '../person/social.ts';
import { base32Secret, totpApp, type App } from '../person/totp.ts';
import { ByUser, recordsOf, tablesOf, userOr, type Table, type UserOfRecord } from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import { FieldFault, Row, type Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorUser, WrongRecord } from '../vendor.ts';

type TableName = 'csv' | 'api' | 'cli';

/**
 * The CSV of the dashboard, the users of the Backend API in its own names or in those of the SDK, and the JSON of Clerk's command line tool,
 * which has the names of the CSV.
 */
const TABLES: readonly Table<TableName>[] = [
  { name: 'csv', columns: ['id', ['passworddigest', 'passwordhasher', 'totpsecret']], hasUsers: true },
  { name: 'api', columns: [['emailaddresses', 'externalaccounts']], hasUsers: true },
  {
    name: 'cli',
    columns: [
      'id',
      ['primaryemailaddress', 'primaryphonenumber', 'verifiedemailaddresses', 'unverifiedemailaddresses', 'verifiedphonenumbers', 'unverifiedphonenumbers', 'deleteselfenabled'], // prettier-ignore
    ],
    hasUsers: true,
  },
];

/** What the files say about a user. */
interface Sources {
  readonly hasCsv: boolean;
  readonly hasApi: boolean;
  readonly hasCli: boolean;
}

const isVerified = (row: Row): boolean => row.within('verification').text('status') === 'verified';
const ONLY_CSV = 'only the CSV of the dashboard has digests: give it with --also';
/** Older users have no state of it. */
const isUsable = (row: Row): boolean => row.value('verification') === null || isVerified(row);

/** Hashers of which no hash can be compared. */
const LOST_HASHERS: Readonly<Record<string, string>> = {
  awscognito: 'it is a reference to Cognito, which exports no hash',
  md5_phpass: 'the form of md5_phpass is not published',
};

function passwordOf(row: Row, { hasCsv, hasApi }: Sources): Values | Loss | null {
  const [hash, hash_type] = [row.text('password_digest'), row.text('password_hasher')];
  const lost = LOST_HASHERS[hash_type ?? ''];
  if (lost !== undefined) return { what: 'password', reason: lost };
  if (hash !== null) return withoutEmpty({ hash, hash_type });
  // The command line tool does not say who has a password.
  if (!hasCsv && !hasApi) return { what: 'password', reason: ONLY_CSV };
  if (row.flag('password_enabled') !== true) return null;
  return { what: 'password', reason: hasCsv ? 'the CSV has no digest of it' : ONLY_CSV };
}

function appsOf(row: Row, { hasCsv }: Sources): readonly (App | Loss)[] {
  const secret = row.text('totp_secret');
  if (secret !== null) {
    const base32 = base32Secret(secret);
    return [base32 === null ? { what: 'app', reason: 'its totp_secret must be base32', isDamaged: true } : totpApp({ secret: base32 })]; // prettier-ignore
  }
  if (row.flag('totp_enabled') !== true) return [];
  const reason = hasCsv ? 'the CSV has no secret of it' : 'only the CSV of the dashboard has secrets: give it with --also'; // prettier-ignore
  return [{ what: 'app', reason }];
}

function accountOf(row: Row): SocialAccount | Loss {
  const provider = row.text('provider') ?? row.text('object')?.replace(/_account$/u, '') ?? '';
  const subject = row.text('provider_user_id', 'externalId', 'google_id', 'facebook_id');
  return socialAccount({ provider, subject, email: row.text('email_address') });
}

function accountsOf(row: Row): readonly (SocialAccount | Loss)[] {
  const social = row.rows('external_accounts').filter(isUsable).map((each) => orLoss('social account', () => accountOf(each))); // prettier-ignore
  const isOfCompany = row.rows('enterprise_accounts').length + row.rows('saml_accounts').length > 0;
  return [...social, ...(isOfCompany ? [COMPANY_LOGIN] : [])];
}

function walletOf(row: Row): Wallet {
  const address = row.text('web3_wallet') ?? '';
  return { type: address.startsWith('0x') ? 'ethereum' : 'solana', address };
}

/** A ban, or a lock without an end. A lock after too many tries ends by itself. */
function isLocked(row: Row): boolean {
  return (
    row.flag('banned') === true || (row.flag('locked') === true && row.count('lockout_expires_in_seconds') === null)
  );
}

/** The browser can read all metadata of its user here. */
const PRIVATE: Loss = { what: 'metadata', reason: 'private metadata has no place here that the browser of the user cannot read' }; // prettier-ignore
const UNSEEN: Loss = { what: 'social account', reason: 'only the JSON of the Backend API names social accounts, wallets and bans: give it with --also' }; // prettier-ignore
const UNSEEN_BY_CLI: Loss = { what: 'social account', reason: 'only the JSON of the Backend API names social accounts and wallets: give it with --also' }; // prettier-ignore
const PASSKEY: Loss = { what: 'passkey', reason: 'no export of Clerk has public keys' };
const CODES: Loss = { what: 'recovery codes', reason: 'no export of Clerk has them' };
const USERNAME: Loss = { what: 'username', reason: 'logins here need an address or a number' };

function userOf(row: Row, sources: Sources): UserOfRecord {
  const id = row.text('id');
  if (id === null) throw new FieldFault('id is missing');
  const private_metadata = row.object('private_metadata');
  // The command line tool has moved it.
  const external = row.text('external_id') ?? new Row(private_metadata).text('clerkExternalId');
  return vendorUser({
    id,
    created_at: row.time('created_at'),
    emails: contactsOf(row, 'email_address', 'email_addresses').map(({ value, verified }): OldEmail => ({ email: value, verified })), // prettier-ignore
    phone_numbers: contactsOf(row, 'phone_number', 'phone_numbers').map(({ value, ...each }): OldPhone => ({ phone_number: value, ...each })), // prettier-ignore
    name: nameOfParts(row.text('first_name'), row.text('last_name')),
    trusted_metadata: {
      ...row.object('public_metadata'),
      ...(external === null ? {} : { clerk_external_id: external }),
    },
    untrusted_metadata: row.object('unsafe_metadata'),
    locked: isLocked(row),
    terms_accepted_at: row.time('legal_accepted_at'),
    password: passwordOf(row, sources),
    apps: appsOf(row, sources),
    social_accounts: accountsOf(row),
    wallets: row.rows('web3_wallets').filter(isVerified).map(walletOf),
    losses: [
      ...(row.rows('passkeys').some(isUsable) ? [PASSKEY] : []),
      ...(row.flag('backup_code_enabled') === true ? [CODES] : []),
      ...(row.text('username') === null ? [] : [USERNAME]),
      ...(Object.keys(private_metadata).some((name) => name !== 'clerkExternalId') ? [PRIVATE] : []),
      ...(sources.hasApi ? [] : [sources.hasCli ? UNSEEN_BY_CLI : UNSEEN]),
    ],
  });
}

/** From the file that says most about a user to the one that says least. */
const ORDER: readonly TableName[] = ['api', 'cli', 'csv'];

async function* users(files: readonly VendorFile[]): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Clerk', TABLES, files);
  const has = (name: TableName): boolean => tables.some(({ table }) => table === name);
  const main = ORDER.find(has) ?? 'csv';
  const others = ORDER.filter((name) => name !== main && has(name));
  const cells = new Map<TableName, ByUser<Values>>();
  for (const name of others)
    cells.set(name, await new ByUser<Values>().addAll(tables, name, 'id', (row) => row.values));
  yield* [...cells.values()].flatMap(({ strays }) => strays);
  const ids = new Set<string>();
  const userIn = (values: Values, from: TableName): UserOfRecord => {
    const id = new Row(values).text('id') ?? '';
    const found = new Map(others.map((name) => [name, cells.get(name)?.of(id).at(-1)]));
    found.set(from, values);
    const isThere = (name: TableName): boolean => found.get(name) !== undefined;
    // A file has everybody who has signed up before it was made, so it also says who has no password.
    const sources = { hasApi: isThere('api'), hasCli: isThere('cli'), hasCsv: isThere('csv') || (from !== 'csv' && has('csv')) }; // prettier-ignore
    return userOf(new Row(mergedCells(['csv', 'cli', 'api'].map((name) => found.get(name as TableName)))), sources);
  };
  // Those of the other files signed up between the exports.
  for (const table of [main, ...others]) {
    for await (const { number, values, path } of recordsOf(tables, table)) {
      const value = new Row(values).value('id');
      const id = typeof value === 'string' || typeof value === 'number' ? String(value) : null;
      if (table !== main && (id === null || ids.has(id))) continue;
      if (id !== null) ids.add(id);
      yield userOr({ number, path }, () => userIn(values, table));
    }
  }
}

/** The CSV of Clerk's dashboard, the JSON of its command line tool and the users of its Backend API. */
export const clerk: Vendor = { users };
