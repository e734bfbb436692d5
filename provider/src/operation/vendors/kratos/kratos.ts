import { isRecord } from '#domain/shape.ts';
import { contactsOf, nameIn, otherTraits } from './traits.ts';
import { vendorUser, type Passkey } from '../person/person.ts';
import { claimsOf, COMPANY_LOGIN, socialAccount, type SocialAccount } from '../person/social.ts';
import { base32Secret, totpApp, type App } from '../person/totp.ts';
import { tablesOf, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import { itemsOrLoss, orLoss } from '../rows/loss.ts';
import type { Row, Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '../vendor.ts';

const IDENTITIES: Table<'identities'> = {
  name: 'identities',
  columns: ['id', ['traits', 'schemaid']],
  hasUsers: true,
};

const NO_CREDENTIALS = 'the list has no secrets: export it with include_credential of each type';

/** The credentials of an identity, whose configuration the plain list leaves out. */
class Credentials {
  private readonly row: Row;

  constructor(private readonly identity: Row) {
    this.row = identity.within('credentials');
  }

  /** Undefined if the identity has none of the type; null if the export lacks its configuration. */
  config(type: string): Row | null | undefined {
    if (this.row.value(type) === null) return undefined;
    const credential = this.row.within(type);
    return Object.keys(credential.object('config')).length === 0 ? null : credential.within('config');
  }

  /** What the person enters for it. */
  identifiers(type: string): readonly string[] {
    return this.row.value(type) === null ? [] : this.row.within(type).texts('identifiers');
  }

  get isMissing(): boolean {
    return !this.identity.has('credentials');
  }
}

function passwordOf(credentials: Credentials): Values | Loss | null {
  const config = credentials.config('password');
  if (config === null || credentials.isMissing) return { what: 'password', reason: NO_CREDENTIALS };
  if (config === undefined) return null;
  const hash = config.text('hashed_password');
  if (hash === null) {
    const isElsewhere = config.flag('use_password_migration_hook') === true;
    return isElsewhere ? { what: 'password', reason: 'a hook to another system has it' } : null;
  }
  if (hash.startsWith('$hmac-md4$')) return { what: 'password', reason: 'its hash is of MD4' };
  return { hash };
}

function appOf(credentials: Credentials): App | Loss | null {
  const config = credentials.config('totp');
  if (config === undefined) return null;
  if (config === null) return { what: 'app', reason: NO_CREDENTIALS };
  const text = config.requiredText('totp_url');
  const url = URL.canParse(text) ? new URL(text) : null;
  const secret = base32Secret(url?.searchParams.get('secret') ?? '');
  if (url?.protocol !== 'otpauth:' || secret === null)
    throw config.fault('totp_url', 'otpauth://totp/… with a secret in base32');
  if (/^(?:\/\/)?hotp/u.test(`${url.host}${url.pathname}`))
    return { what: 'app', reason: 'its codes are counted (HOTP)' };
  const number = (name: string): number | null => {
    const value = url.searchParams.get(name);
    return value === null ? null : Number(value);
  };
  return totpApp({
    secret,
    algorithm: url.searchParams.get('algorithm'),
    digits: number('digits'),
    period: number('period'),
  });
}

function codesOf(credentials: Credentials): readonly (string | Loss)[] {
  const config = credentials.config('lookup_secret');
  if (config === undefined) return [];
  if (config === null) return [{ what: 'recovery codes', reason: NO_CREDENTIALS }];
  const unused = config.rows('recovery_codes').filter((code) => code.time('used_at') === null);
  return unused.map((code) => code.requiredText('code'));
}

/** Before version 1 of the credential, the handle was the bytes of the identity's id. */
function handleOf(config: Row, type: string, id: string): string | null {
  const handle = config.value('user_handle');
  if (handle !== null && handle !== '') return config.requiredBytes('user_handle');
  return type === 'webauthn' ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') : null;
}

function passkeysOf(credentials: Credentials, type: string, id: string): readonly (Passkey | Loss)[] {
  const config = credentials.config(type);
  if (config === undefined) return [];
  if (config === null) return [{ what: 'passkey', reason: NO_CREDENTIALS }];
  const user_handle = handleOf(config, type, id);
  return config.rows('credentials').map((key) => orLoss('passkey', () => passkeyOf(key, user_handle)));
}

function passkeyOf(key: Row, user_handle: string | null): Passkey {
  const flags = key.within('flags');
  return {
    credential_id: key.requiredBytes('id'),
    public_key: key.requiredBytes('public_key'),
    counter: key.within('authenticator').count('sign_count') ?? 0,
    transports: key.texts('transport'),
    user_handle,
    name: key.text('display_name'),
    created_at: key.time('added_at'),
    backed_up: flags.flag('backup_state'),
    backup_eligible: flags.flag('backup_eligible'),
  };
}

function accountsOf(credentials: Credentials): readonly (SocialAccount | Loss)[] {
  const config = credentials.config('oidc');
  const isOfCompany = credentials.config('saml') !== undefined;
  const company = isOfCompany ? [COMPANY_LOGIN] : [];
  if (config === undefined) return company;
  if (config === null) return [{ what: 'social account', reason: NO_CREDENTIALS }, ...company];
  const accounts = config.rows('providers').map((account) => orLoss('social account', () => accountOf(account)));
  return [...accounts, ...company];
}

function accountOf(row: Row): SocialAccount | Loss {
  const [provider, subject] = [row.requiredText('provider'), row.requiredText('subject')];
  return socialAccount({ provider, subject, claims: claimsOf(row.text('initial_id_token')) });
}

/** What only administrators see stays with them: an app shows its users their metadata here. */
const HIDDEN: Loss = { what: 'metadata', reason: 'metadata_admin is hidden from the user, who sees all metadata here' };
const USERNAME: Loss = { what: 'username', reason: 'users log in with an address here: it is kept as metadata' };
const DEVICE: Loss = { what: 'passkey', reason: 'it is a key in a phone app' };

function userOf(row: Row, rp_id: string | null): UserOfRecord {
  const id = row.requiredText('id');
  const credentials = new Credentials(row);
  const traits = row.object('traits');
  const identifiers = [...credentials.identifiers('password'), ...credentials.identifiers('code')];
  const contacts = contactsOf(row, traits, identifiers);
  const app = orLoss('app', () => appOf(credentials));
  const ownId = row.text('external_id');
  const [username] = contacts.usernames;
  const admin = row.json('metadata_admin');
  return vendorUser({
    id,
    created_at: row.time('created_at'),
    emails: contacts.emails,
    phone_numbers: contacts.phone_numbers,
    name: nameIn(traits),
    trusted_metadata: { ...row.object('metadata_public'), ...(ownId === null ? {} : { external_id: ownId }) },
    untrusted_metadata: { ...otherTraits(traits, contacts), ...(username === undefined ? {} : { username }) },
    locked: row.text('state') === 'inactive',
    password: orLoss('password', () => passwordOf(credentials)),
    apps: app === null ? [] : [app],
    recovery_codes: itemsOrLoss('recovery codes', () => codesOf(credentials)),
    passkeys: ['passkey', 'webauthn'].flatMap((type) =>
      itemsOrLoss('passkey', () => passkeysOf(credentials, type, id)),
    ),
    rp_id,
    social_accounts: itemsOrLoss('social account', () => accountsOf(credentials)),
    losses: [
      ...(credentials.config('deviceauthn') === undefined ? [] : [DEVICE]),
      ...(username === undefined ? [] : [USERNAME]),
      ...(isRecord(admin) && Object.keys(admin).length > 0 ? [HIDDEN] : []),
    ],
  });
}

async function* users(files: readonly VendorFile[], options: VendorOptions): AsyncGenerator<VendorUser | WrongRecord> {
  const tables = await tablesOf('Ory Kratos', [IDENTITIES], files);
  yield* usersOf(tables, 'identities', (row) => userOf(row, options.rp_id));
}

/** Identities of Ory Kratos, as its admin API lists them with `include_credential`. */
export const kratos: Vendor = { users };
