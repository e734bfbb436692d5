import { isRecord } from '#domain/shape.ts';
import { nameOf, nameOfParts } from '../person/name.ts';
import { vendorUser, type Passkey, type Wallet } from '../person/person.ts';
import { COMPANY_LOGIN, socialAccount, type SocialAccount } from '../person/social.ts';
import { base32Secret, totpApp, type App } from '../person/totp.ts';
import { ByUser, recordsOf, tablesOf, usersOf, type Table, type TableFile, type UserOfRecord } from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import { FieldFault, Row, type Values } from '../rows/row.ts';
import { Trial } from '../rows/trial.ts';
import { isEncrypted, ProjectKey } from './encrypted.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '../vendor.ts';

type TableName = 'auth.mfa_factors' | 'auth.webauthn_credentials' | 'auth.identities' | 'auth.users';

const TABLES: readonly Table<TableName>[] = [
  { name: 'auth.mfa_factors', columns: ['userid', 'factortype'] },
  { name: 'auth.webauthn_credentials', columns: ['userid', 'credentialid', 'publickey'] },
  { name: 'auth.identities', columns: ['userid', 'provider', 'identitydata'] },
  {
    name: 'auth.users',
    columns: ['id', ['rawusermetadata', 'rawappmetadata', 'encryptedpassword', 'emailconfirmedat']],
    hasUsers: true,
  },
];

/** An identity of a provider, or the address or number of a person. */
type Identity = SocialAccount | Loss | Wallet | { readonly own: string };

function identityOf(row: Row): Identity {
  const provider = row.requiredText('provider');
  const data = row.object('identity_data');
  const text = (field: string): string | null => (typeof data[field] === 'string' ? data[field] : null);
  // `id` is an id of the row since 2023, and was the subject before.
  const subject = row.text('provider_id') ?? text('sub') ?? row.requiredText('id');
  if (provider === 'email' || provider === 'phone') return { own: provider };
  if (provider.startsWith('sso:')) return COMPANY_LOGIN;
  if (provider === 'web3') {
    const [, type = '', address = ''] = /^web3:([^:]+):(.+)$/u.exec(subject) ?? [];
    return { type, address };
  }
  const { custom_claims: custom } = data;
  return socialAccount({ provider, subject, claims: { ...data, ...(isRecord(custom) ? custom : {}) } });
}

interface Factor {
  readonly created_at: number;
  readonly app?: App | Loss;
  readonly passkey?: Passkey | Loss;
  /** Of a factor that receives codes. */
  readonly phone?: string;
}

/** A confirmed second factor; null for one that was never used. */
function factorOf(row: Row, key: ProjectKey, trial: Trial): Factor | null {
  if (row.text('status') !== 'verified') return null;
  const created_at = row.time('created_at') ?? 0;
  switch (row.requiredText('factor_type')) {
    case 'totp':
      return { created_at, app: orLoss('app', () => appOf(row, key, trial)) };
    case 'webauthn':
      return { created_at, passkey: orLoss('passkey', () => factorKey(row, created_at)) };
    default:
      return { created_at, phone: row.text('phone') ?? '' };
  }
}

function appOf(row: Row, key: ProjectKey, trial: Trial): App | Loss {
  const stored = row.requiredText('secret');
  const opened = key.open(stored, row.requiredText('id'));
  if (isEncrypted(stored)) trial.note(opened !== undefined);
  const secret = opened === undefined ? null : base32Secret(opened);
  if (secret !== null) return totpApp({ secret });
  throw row.fault('secret', 'base32, encrypted with the key of the project or not: it is damaged');
}

/** The credential of a second factor, as Go's WebAuthn library writes it. */
function factorKey(row: Row, created_at: number): Passkey {
  const credential = row.within('web_authn_credential');
  const authenticator = credential.within('authenticator');
  const flags = credential.within('flags');
  return {
    credential_id: credential.requiredBytes('id'),
    public_key: credential.requiredBytes('publicKey'),
    counter: authenticator.count('signCount') ?? 0,
    transports: credential.texts('transport'),
    user_handle: handleOf(row.requiredText('user_id')),
    name: row.text('friendly_name'),
    created_at,
    backed_up: flags.flag('backupState'),
    backup_eligible: flags.flag('backupEligible'),
  };
}

/** The bytes of the id as text. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

function passkeyOf(row: Row): Passkey {
  return {
    credential_id: row.requiredBytes('credential_id'),
    public_key: row.requiredBytes('public_key'),
    counter: row.count('sign_count') ?? 0,
    transports: row.texts('transports'),
    user_handle: handleOf(row.requiredText('user_id')),
    name: row.text('friendly_name'),
    created_at: row.time('created_at'),
    backed_up: row.flag('backed_up'),
    backup_eligible: row.flag('backup_eligible'),
  };
}

/** What belongs to the users. */
interface Belongings {
  readonly identities: ByUser<Identity>;
  readonly factors: ByUser<Factor>;
  readonly passkeys: ByUser<Passkey | Loss>;
}

/** The names of a profile of a social provider, or of the app. */
function nameIn(metadata: Values): Values {
  const text = (...fields: readonly string[]): string | null => {
    const values = fields.map((field) => metadata[field]);
    return values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? null;
  };
  const [first, last] = [text('first_name', 'given_name'), text('last_name', 'family_name')];
  return first === null && last === null ? nameOf(text('full_name', 'name')) : nameOfParts(first, last);
}

/** The API of administrators lists users without it. */
const HASH_MISSING: Loss = { what: 'password', reason: 'the export lacks the column encrypted_password of auth.users' }; // prettier-ignore

function passwordOf(row: Row, id: string, key: ProjectKey): Values | Loss | null {
  if (!row.has('encrypted_password')) return HASH_MISSING;
  const stored = row.text('encrypted_password');
  if (stored === null) return null;
  const hash = key.open(stored, id);
  if (hash === undefined) throw row.fault('encrypted_password', 'encrypted with the key of the project: it is damaged');
  return hash === '' ? null : { hash };
}

/** Providers that the user's metadata names, and of which the export has no identity. */
function missing(metadata: Values, identities: readonly Identity[]): readonly Loss[] {
  const { providers } = metadata;
  const names = Array.isArray(providers) ? providers : [];
  const social = names.filter((name) => typeof name === 'string' && !['email', 'phone'].includes(name));
  if (identities.length > 0) return [];
  return social.map(() => {
    return {
      what: 'social account',
      reason: 'the export has no row of auth.identities of it: add that table with --also',
    };
  });
}

function userOf(row: Row, all: Belongings, key: ProjectKey, rp_id: string | null): UserOfRecord {
  const id = row.requiredText('id');
  if (row.time('deleted_at') !== null) throw new FieldFault('the user was deleted: leave out rows with deleted_at');
  const identities = all.identities.of(id);
  const factors = [...all.factors.of(id)].sort((a, b) => a.created_at - b.created_at);
  const email = row.text('email');
  const phone = row.text('phone');
  const trusted_metadata = row.object('raw_app_meta_data');
  const untrusted_metadata = row.object('raw_user_meta_data');
  const banned = row.time('banned_until');
  const losses: Loss[] = [...missing(trusted_metadata, identities)];
  const phones = factors.flatMap((factor) => (factor.phone === undefined ? [] : [factor.phone]));
  const confirmed = row.has('phone_confirmed_at') ? row.time('phone_confirmed_at') : null;
  const numbers = [
    ...(phone === null ? [] : [{ phone_number: plus(phone), verified: confirmed !== null }]),
    // A code was entered at the number of a confirmed factor.
    ...phones.filter((each) => each !== '').map((each) => ({ phone_number: plus(each), verified: true, isSecondFactor: true as const })), // prettier-ignore
  ];
  return vendorUser({
    id,
    created_at: row.time('created_at'),
    emails: email === null ? [] : [{ email, verified: confirmedEmail(row) }],
    phone_numbers: numbers,
    name: nameIn(untrusted_metadata),
    trusted_metadata,
    untrusted_metadata,
    locked: banned !== null && banned > Date.now(),
    password: passwordOf(row, id, key),
    apps: factors.flatMap(({ app }) => (app === undefined ? [] : [app])),
    passkeys: [...all.passkeys.of(id), ...factors.flatMap(({ passkey }) => (passkey === undefined ? [] : [passkey]))],
    rp_id,
    social_accounts: identities.filter((each) => 'provider' in each || 'what' in each),
    wallets: identities.filter((each): each is Wallet => 'address' in each),
    losses,
  });
}

/** Numbers are stored without the plus. */
const plus = (phone: string): string => (phone.startsWith('+') ? phone : `+${phone}`);

/** In databases of 2021 and before, `confirmed_at` is the time of the address; later, that of the first address or number. */
function confirmedEmail(row: Row): boolean {
  return row.time(row.has('email_confirmed_at') ? 'email_confirmed_at' : 'confirmed_at') !== null;
}

/** Whether the key of the project opens a hash: reads users until it does. */
async function tryKey(tables: readonly TableFile<TableName>[], key: ProjectKey, trial: Trial): Promise<void> {
  for await (const { values } of recordsOf(tables, 'auth.users')) {
    if (trial.hasOpened) return;
    const row = new Row(values);
    const [id, hash] = [row.value('id'), row.value('encrypted_password')];
    if (typeof id !== 'string' || typeof hash !== 'string' || !isEncrypted(hash)) continue;
    trial.note(key.open(hash, id) !== undefined);
  }
  trial.check();
}

async function* users(files: readonly VendorFile[], options: VendorOptions): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Supabase', TABLES, files);
  const key = new ProjectKey(options.secret);
  const trial = new Trial();
  const identities = await new ByUser<Identity>().addAll(tables, 'auth.identities', 'user_id', identityOf);
  const factors = await new ByUser<Factor>().addAll(tables, 'auth.mfa_factors', 'user_id', (row) =>
    factorOf(row, key, trial),
  );
  const passkeys = await new ByUser<Passkey | Loss>().addAll(tables, 'auth.webauthn_credentials', 'user_id', (row) =>
    orLoss('passkey', () => passkeyOf(row)),
  );
  await tryKey(tables, key, trial);
  yield* [...identities.strays, ...factors.strays, ...passkeys.strays];
  const all = { identities, factors, passkeys };
  yield* usersOf(tables, 'auth.users', (row) => userOf(row, all, key, options.rp_id));
}

/** Rows of the schema `auth` of a Supabase project, as its SQL editor, `psql` or PostgREST writes them. */
export const supabase: Vendor = { users };
