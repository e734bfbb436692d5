import { nameOfParts } from '../person/name.ts';
import type { OldEmail, OldPhone } from '../person/contacts.ts';
import { isLoss, vendorUser, type Passkey } from '../person/person.ts';
import { socialAccount } from '../person/social.ts';
import type { App } from '../person/totp.ts';
import { orLoss } from '../rows/loss.ts';
import { ByUser, tablesOf, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import { FieldFault, Row, type Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '../vendor.ts';
import { methodsOf, SECRET_MISSING, secretsOf, type Method } from './methods.ts';

type TableName = 'hashes' | 'methods' | 'secrets' | 'users';

/** An export job has the fields and names that the operator chose; the extension for exports has names with capitals. */
const TABLES: readonly Table<TableName>[] = [
  // These are users, too.
  { name: 'hashes', columns: [['_id', 'passwordhash']], hasUsers: true },
  { name: 'methods', columns: ['authenticationmethods'] },
  { name: 'methods', columns: ['type', 'confirmed'] },
  // A file for Auth0's own import has users with their secrets.
  {
    name: 'users',
    columns: [
      ['userid', 'id'],
      ['emailverified', 'identities'],
    ],
    hasUsers: true,
  },
  // The support sends it.
  { name: 'secrets', columns: [['mfafactors', 'totpsecret']] },
  { name: 'users', columns: [['userid', 'id', 'email']], hasUsers: true },
];

/** The texts of a CSV begin with an apostrophe, so that no spreadsheet runs them. */
function withoutApostrophes(row: Row): Row {
  const id = row.value('user_id') ?? row.value('id');
  if (typeof id !== 'string' || !id.startsWith("'")) return row;
  const plain = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/^'/u, '') : value);
  return new Row(Object.fromEntries(Object.entries(row.values).map(([name, value]) => [name, plain(value)])));
}

/** The metadata of a field, or of the columns that a CSV has for each of its keys. */
const metadataOf = (row: Row, name: string): Values => ({ ...row.under(`${name}.`), ...row.object(name) });

interface Identity {
  readonly provider: string;
  readonly subject: string;
  readonly email: string | null;
}

function identityOf(row: Row): Identity {
  const provider = row.requiredText('provider');
  const subject = row.requiredText('user_id').replace(`${provider}|`, '');
  return { provider, subject, email: row.within('profileData').text('email') };
}

/** The identities of a user. An export without them has the first one in the id, such as `google-oauth2|1234`. */
function identitiesOf(row: Row, id: string): readonly (Identity | Loss)[] {
  const identities = row.rows('identities').map((each) => orLoss('social account', () => identityOf(each)));
  if (identities.length > 0) return identities;
  const [provider = '', ...subject] = id.split('|');
  return subject.length === 0 ? [] : [{ provider, subject: subject.join('|'), email: null }];
}

/** The id of a record of the file of hashes: its own one where it has one, else that of the database. */
function idOfHash(row: Row): string {
  const id = row.text('alt_id', '_id');
  if (id === null) throw new FieldFault('_id is missing');
  return `auth0|${id}`;
}

/** What belongs to the users. */
interface Belongings {
  readonly hashes: ByUser<string>;
  readonly hasHashes: boolean;
  readonly methods: ByUser<readonly Method[]>;
  readonly secrets: ByUser<readonly Method[]>;
}

const MISSING_FILE = 'Auth0’s support sends the hashes in a file of their own: give it with --also';
const MISSING_HASH = 'the file of hashes has none of it, as for a database of your own';

/** The hash of the record, or of the first identity with one. */
function passwordOf(row: Row, identities: readonly Identity[], all: Belongings): Values | Loss | null {
  const ofDatabase = identities.filter(({ provider }) => provider === 'auth0');
  const hashes = ofDatabase.flatMap(({ subject }) => all.hashes.of(`auth0|${subject}`).slice(-1));
  const hash = row.text('passwordHash') ?? hashes[0];
  if (hash !== undefined) return { hash };
  return ofDatabase.length === 0 ? null : { what: 'password', reason: all.hasHashes ? MISSING_HASH : MISSING_FILE };
}

/** The file of secrets has the ids of users, or as that of hashes the ids of the database. */
function idOfSecrets(record: Row): string {
  const row = withoutApostrophes(record);
  return row.text('user_id') ?? (row.has('_id') ? idOfHash(row) : row.requiredText('user_id'));
}

/** A login by a code proves the address or number of its identity. */
function contactsOf(row: Row, identities: readonly Identity[]) {
  const ways = new Set(identities.map(({ provider }) => provider));
  const emails: OldEmail[] = [];
  const phone_numbers: OldPhone[] = [];
  const [email, phone] = [row.text('email'), row.text('phone_number')];
  if (email !== null) emails.push({ email, verified: row.flag('email_verified') === true || ways.has('email') });
  const isVerified = row.flag('phone_verified') ?? row.flag('phone_number_verified') ?? false;
  if (phone !== null) phone_numbers.push({ phone_number: phone, verified: isVerified || ways.has('sms') });
  for (const each of row.rows('identifiers')) {
    const [type, value, verified] = [each.text('type'), each.text('value') ?? '', each.flag('verified') ?? false];
    if (type === 'email') emails.push({ email: value, verified });
    if (type === 'phone_number') phone_numbers.push({ phone_number: value, verified });
  }
  return { emails, phone_numbers };
}

/** The ways to log in that are no social accounts. */
const OWN: ReadonlySet<string> = new Set(['auth0', 'email', 'sms']);

const MULTIFACTOR: Loss = { what: 'app', reason: 'the Management API lists the second factors, and Auth0’s support sends their secrets: give these files with --also' }; // prettier-ignore

const isApp = (method: Method): method is App => 'secret' in method;
const USERNAME: Loss = { what: 'username', reason: 'logins here need an address or a number' };

function userOf(record: Row, all: Belongings): UserOfRecord {
  const row = withoutApostrophes(record);
  const id = Object.hasOwn(row.values, '_id') ? idOfHash(row) : row.text('user_id', 'id');
  if (id === null) throw new FieldFault('user_id is missing: choose that field in the export job');
  const everyIdentity = identitiesOf(row, id);
  const identities = everyIdentity.filter((each): each is Identity => !isLoss(each));
  const secrets = [...all.secrets.of(id).flat(), ...secretsOf(row)];
  const hasSecret = secrets.some((each) => isApp(each) || isLoss(each));
  const methods = [...secrets, ...all.methods.of(id).flat().filter((each) => !hasSecret || each !== SECRET_MISSING)]; // prettier-ignore
  const contacts = contactsOf(row, identities);
  const phonesOfMethods = methods.flatMap((each): OldPhone[] =>
    'phone_number' in each ? [{ ...each, verified: true, isSecondFactor: true }] : [],
  );
  const [email, phone, name, username] = ['email', 'phone_number', 'name', 'username'].map((each) => row.text(each));
  const parts = nameOfParts(row.text('given_name'), row.text('family_name'));
  const display = name === email || name === phone ? null : name;
  const isOwnName = typeof username === 'string' && username.toLowerCase() !== email?.toLowerCase();
  // The extension for exports has the time of the last change alone.
  const hasFactor = row.texts('multifactor').length > 0 || row.text('multifactor_last_modified') !== null;
  return vendorUser({
    id,
    created_at: row.time('created_at'),
    emails: contacts.emails,
    phone_numbers: [...contacts.phone_numbers, ...phonesOfMethods],
    name: Object.keys(parts).length > 0 ? parts : nameOfParts(display ?? null),
    trusted_metadata: metadataOf(row, 'app_metadata'),
    untrusted_metadata: metadataOf(row, 'user_metadata'),
    locked: row.flag('blocked'),
    password: passwordOf(row, identities, all),
    apps: methods.filter(isApp),
    passkeys: methods.filter((each): each is Passkey => 'credential_id' in each),
    social_accounts: [
      ...identities.filter(({ provider }) => !OWN.has(provider)).map(socialAccount),
      ...everyIdentity.filter(isLoss),
    ],
    losses: [
      ...(hasFactor && methods.length === 0 && all.methods.isEmpty ? [MULTIFACTOR] : []),
      ...(isOwnName ? [USERNAME] : []),
      ...methods.filter(isLoss),
    ],
  });
}

async function* users(files: readonly VendorFile[], options: VendorOptions): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Auth0', TABLES, files);
  const has = (name: TableName): boolean => tables.some(({ table }) => table === name);
  const main = has('users') ? 'users' : 'hashes';
  const hashes = new ByUser<string>();
  if (main === 'users') await hashes.addAll(tables, 'hashes', idOfHash, (row) => row.text('passwordHash'));
  const methods = await new ByUser<readonly Method[]>().addAll(tables, 'methods', 'user_id', (row) =>
    methodsOf(row, options.rp_id),
  );
  const secrets = await new ByUser<readonly Method[]>().addAll(tables, 'secrets', idOfSecrets, (row) =>
    secretsOf(withoutApostrophes(row)),
  );
  yield* [...hashes.strays, ...methods.strays, ...secrets.strays];
  const all = { hashes, hasHashes: has('hashes'), methods, secrets };
  yield* usersOf(tables, main, (row) => userOf(row, all));
}

/** Users of Auth0's export job, the hashes and MFA secrets that its support sends, and the methods of its Management API. */
export const auth0: Vendor = { users };
