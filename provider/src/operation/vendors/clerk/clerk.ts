import { nameOfParts } from '../person/name.ts';
import type { OldEmail, OldPhone } from '../person/contacts.ts';
import { vendorUser, withoutEmpty, type Wallet } from '../person/person.ts';
import { COMPANY_LOGIN, socialAccount, type SocialAccount } from '../person/social.ts';
import { totpApp, type App } from '../person/totp.ts';
import { ByUser, recordsOf, tablesOf, userOr, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import { FieldFault, Row, type Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorUser, WrongRecord } from '../vendor.ts';

/** The CSV of the dashboard, and the users of the Backend API in its own names or in those of the SDK. */
const TABLES: readonly Table<'csv' | 'api'>[] = [
  { name: 'csv', columns: [['passworddigest', 'passwordhasher', 'primaryemailaddress']], hasUsers: true },
  { name: 'api', columns: [['emailaddresses', 'externalaccounts']], hasUsers: true },
];

/** What the files of this import are. */
interface Sources {
  readonly hasCsv: boolean;
  readonly hasApi: boolean;
}

const isVerified = (row: Row): boolean => row.within('verification').text('status') === 'verified';
/** Older users have no state of it. */
const isUsable = (row: Row): boolean => row.value('verification') === null || isVerified(row);

/** Hashers of which no hash can be compared. */
const LOST_HASHERS: Readonly<Record<string, string>> = {
  awscognito: 'it is a reference to Cognito, which exports no hash',
  md5_phpass: 'the form of md5_phpass is not published',
};

function passwordOf(row: Row, { hasCsv }: Sources): Values | Loss | null {
  const [hash, hash_type] = [row.text('password_digest'), row.text('password_hasher')];
  const lost = LOST_HASHERS[hash_type ?? ''];
  if (lost !== undefined) return { what: 'password', reason: lost };
  if (hash !== null) return withoutEmpty({ hash, hash_type });
  if (row.flag('password_enabled') !== true) return null;
  const reason = hasCsv ? 'the CSV has no digest of it' : 'only the CSV of the dashboard has digests: give it with --also'; // prettier-ignore
  return { what: 'password', reason };
}

function appsOf(row: Row, { hasCsv }: Sources): readonly (App | Loss)[] {
  const secret = row.text('totp_secret');
  if (secret !== null) return [totpApp({ secret })];
  if (row.flag('totp_enabled') !== true) return [];
  const reason = hasCsv ? 'the CSV has no secret of it' : 'only the CSV of the dashboard has secrets: give it with --also'; // prettier-ignore
  return [{ what: 'app', reason }];
}

interface Contact {
  readonly value: string;
  readonly verified: boolean;
}

/** Those of the cells of the CSV and of the lists of the API, the primary one first. */
function contactsOf(row: Row, kind: 'email_address' | 'phone_number', plural: string): readonly Contact[] {
  const primary = row.value(`primary_${kind}_id`);
  const listed = row.rows(plural);
  const cells = (name: string, verified: boolean) => row.texts(name).map((value) => ({ value, verified }));
  const contactOf = (each: Row): Contact => ({ value: each.text(kind) ?? '', verified: isVerified(each) });
  return [
    ...cells(`primary_${kind}`, false),
    ...listed.filter((each) => each.value('id') === primary).map(contactOf),
    ...cells(`verified_${plural}`, true),
    ...listed.map(contactOf),
    ...cells(`unverified_${plural}`, false),
  ];
}

function accountsOf(row: Row): readonly (SocialAccount | Loss)[] {
  const social = row.rows('external_accounts').filter(isUsable).map((each) => {
    const provider = each.text('provider') ?? each.text('object')?.replace(/_account$/u, '') ?? '';
    const subject = each.text('provider_user_id', 'externalId', 'google_id', 'facebook_id');
    return socialAccount({ provider, subject, email: each.text('email_address') });
  }); // prettier-ignore
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
const UNSEEN: Loss = { what: 'social account', reason: 'only the JSON of the API names social accounts, wallets and bans: give it with --also' }; // prettier-ignore
const PASSKEY: Loss = { what: 'passkey', reason: 'no export of Clerk has public keys' };
const CODES: Loss = { what: 'recovery codes', reason: 'no export of Clerk has them' };
const USERNAME: Loss = { what: 'username', reason: 'logins here need an address or a number' };

function userOf(row: Row, sources: Sources): UserOfRecord {
  const id = row.text('id');
  if (id === null) throw new FieldFault('id is missing');
  const external = row.text('external_id');
  return vendorUser({
    id,
    created_at: row.time('created_at'),
    emails: contactsOf(row, 'email_address', 'email_addresses').map(({ value, verified }): OldEmail => ({ email: value, verified })), // prettier-ignore
    phone_numbers: contactsOf(row, 'phone_number', 'phone_numbers').map(({ value, verified }): OldPhone => ({ phone_number: value, verified })), // prettier-ignore
    name: nameOfParts(row.text('first_name'), row.text('last_name')),
    trusted_metadata: {
      ...row.object('public_metadata'),
      ...(external === null ? {} : { clerk_external_id: external }),
    },
    untrusted_metadata: row.object('unsafe_metadata'),
    locked: isLocked(row),
    password: passwordOf(row, sources),
    apps: appsOf(row, sources),
    social_accounts: accountsOf(row),
    wallets: row.rows('web3_wallets').filter(isVerified).map(walletOf),
    losses: [
      ...(row.rows('passkeys').some(isUsable) ? [PASSKEY] : []),
      ...(row.flag('backup_code_enabled') === true ? [CODES] : []),
      ...(row.text('username') === null ? [] : [USERNAME]),
      ...(Object.keys(row.object('private_metadata')).length > 0 ? [PRIVATE] : []),
      ...(sources.hasApi ? [] : [UNSEEN]),
    ],
  });
}

async function* users(files: readonly VendorFile[]): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Clerk', TABLES, files);
  const has = (name: 'csv' | 'api'): boolean => tables.some(({ table }) => table === name);
  const sources = { hasCsv: has('csv'), hasApi: has('api') };
  if (!sources.hasApi) {
    yield* usersOf(tables, 'csv', (row) => userOf(row, sources));
    return;
  }
  const cells = await new ByUser<Values>().addAll(tables, 'csv', 'id', (row) => row.values);
  const ids = new Set<string>();
  for await (const { number, values, path } of recordsOf(tables, 'api')) {
    const id = new Row(values).text('id') ?? '';
    ids.add(id);
    yield userOr({ number, path }, () => userOf(new Row({ ...cells.of(id).at(-1), ...values }), sources));
  }
  // Those who signed up between the two exports.
  for await (const { number, values, path } of recordsOf(tables, 'csv')) {
    const row = new Row(values);
    if (!ids.has(row.text('id') ?? ''))
      yield userOr({ number, path }, () => userOf(row, { hasCsv: true, hasApi: false }));
  }
}

/** The CSV of Clerk's dashboard and the users of its Backend API. */
export const clerk: Vendor = { users };
