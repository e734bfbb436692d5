import { emailKey } from '#server-rules/accounts.ts';
import { isRecord } from '#domain/shape.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import { credentialsOf } from './credentials.ts';
import { nameOfParts } from '../person/name.ts';
import type { OldPhone } from '../person/contacts.ts';
import { isLoss, vendorUser } from '../person/person.ts';
import { socialAccount, type SocialAccount } from '../person/social.ts';
import { userOr, type UserOfRecord } from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import { Row, type Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser, WrongRecord } from '../vendor.ts';

/** What a realm says about all of its users. */
interface Settings {
  /** The relying party of its passkeys; null if it is the host of its pages. */
  readonly rp_id: string | null;
  /** The kind of each identity provider by its alias. */
  readonly kinds: ReadonlyMap<string, string>;
}

const isWholeExport = (values: Values): boolean =>
  typeof values['realm'] === 'string' || Array.isArray(values['users']);

function settingsOf(values: Values): Settings {
  const row = new Row(values);
  const ids = ['webAuthnPolicyPasswordlessRpId', 'webAuthnPolicyRpId'].map((name) => row.text(name));
  const kinds = row.rows('identityProviders').flatMap((each) => {
    const [alias, kind] = [each.text('alias'), each.text('providerId')];
    return alias === null || kind === null ? [] : [[alias, kind] as const];
  });
  return { rp_id: ids.find((id) => id !== null) ?? null, kinds: new Map(kinds) };
}

/** The settings of a realm in one file, or in the file that has none of its users. */
async function settingsIn(files: readonly VendorFile[]): Promise<Settings> {
  const found: Settings[] = [];
  for (const file of files) {
    for await (const { values } of file.records()) {
      if (isWholeExport(values)) found.push(settingsOf(values));
      break;
    }
  }
  const kinds = new Map(found.flatMap((settings) => [...settings.kinds]));
  return { rp_id: found.find(({ rp_id }) => rp_id !== null)?.rp_id ?? null, kinds };
}

/** Users, each a record of its own or in the list of a realm. */
async function* recordsIn(
  files: readonly VendorFile[],
): AsyncGenerator<{ readonly number: number; readonly path: string; readonly values: unknown }> {
  for (const { path, records } of files) {
    let number = 0;
    for await (const { values } of records()) {
      const list: unknown = isWholeExport(values) ? (values['users'] ?? []) : [values];
      for (const user of Array.isArray(list) ? (list as readonly unknown[]) : [list]) {
        number += 1;
        yield { number, path, values: user };
      }
    }
  }
}

/** Microsoft's login sends another id than the one that Keycloak reads from its directory. */
const OTHER_IDS: ReadonlySet<string> = new Set(['microsoft']);

function accountOf(row: Row, { kinds }: Settings): SocialAccount | Loss {
  const alias = row.requiredText('identityProvider');
  const provider = kinds.get(alias) ?? alias;
  if (OTHER_IDS.has(provider))
    return { what: 'social account', reason: `Keycloak stores another id of ${provider} than its login has` };
  return socialAccount({ provider, subject: row.requiredText('userId') });
}

/** Attributes are lists, most of them with one text. */
function attributesOf(row: Row): Values {
  const entries = Object.entries(row.object('attributes')).map(([name, value]) => {
    return [name, Array.isArray(value) && value.length === 1 ? (value as readonly unknown[])[0] : value] as const;
  });
  return Object.fromEntries(entries);
}

const PHONE = ['phoneNumber', 'phone_number', 'phone', 'mobile'] as const;
const PHONE_VERIFIED = ['phoneNumberVerified', 'phone_number_verified'] as const;

function phonesOf(attributes: Values): readonly OldPhone[] {
  const phone = PHONE.map((name) => attributes[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof phone !== 'string') return [];
  const verified = PHONE_VERIFIED.some((name) => attributes[name] === 'true' || attributes[name] === true);
  return [{ phone_number: phone, verified }];
}

/** Roles and groups, which only administrators give. */
function trustedMetadata(row: Row): Values {
  const lists = { roles: row.texts('realmRoles'), groups: row.texts('groups') };
  const client_roles = row.object('clientRoles');
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(Object.keys(client_roles).length > 0 ? { client_roles } : {}),
  };
}

const USERNAME: Loss = { what: 'username', reason: 'users log in with an address here' };
/** The API of administrators lists users without them. */
const CREDENTIALS: Loss = { what: 'password', reason: 'the export has no credentials: make it by kc.sh export' };
const DIRECTORY: Loss = { what: 'password', reason: 'it is in a directory (LDAP or Active Directory)' };

function userOf(row: Row, settings: Settings, rp_id: string | null): UserOfRecord {
  const username = row.text('username');
  const id = row.text('id') ?? row.requiredText('username');
  const { passwords, apps, passkeys, recovery_codes } = credentialsOf(row, id);
  const email = row.text('email');
  const attributes = attributesOf(row);
  const password = passwords.find((each) => !isLoss(each)) ?? null;
  const isOfDirectory = row.text('federationLink') !== null && passwords.length === 0;
  const isWithout = !row.has('credentials') && !isOfDirectory;
  const requires_reset = row.texts('requiredActions').includes('UPDATE_PASSWORD');
  const isOwnName = username !== null && (email === null || emailKey(username) !== emailKey(email));
  return vendorUser({
    id,
    created_at: row.time('createdTimestamp'),
    emails: email === null ? [] : [{ email, verified: row.flag('emailVerified') ?? false }],
    phone_numbers: phonesOf(attributes),
    name: nameOfParts(row.text('firstName'), row.text('lastName')),
    trusted_metadata: trustedMetadata(row),
    untrusted_metadata: { ...attributes, ...(isOwnName ? { username } : {}) },
    locked: row.flag('enabled') === false,
    password: password === null ? null : { ...password, ...(requires_reset ? { requires_reset } : {}) },
    apps,
    recovery_codes,
    passkeys,
    rp_id: rp_id ?? settings.rp_id,
    social_accounts: row
      .rows('federatedIdentities')
      .map((each) => orLoss('social account', () => accountOf(each, settings))),
    losses: [
      ...(isOwnName ? [USERNAME] : []),
      ...(isOfDirectory ? [DIRECTORY] : []),
      ...(isWithout ? [CREDENTIALS] : []),
      ...passwords.filter(isLoss),
    ],
  });
}

/** The account of a client is not a person. */
const isOfClient = (values: Values): boolean => {
  const client = values['serviceAccountClientId'];
  return typeof client === 'string' && client !== '';
};

async function* users(files: readonly VendorFile[], options: VendorOptions): AsyncGenerator<VendorUser | WrongRecord> {
  const settings = await settingsIn(files);
  let count = 0;
  for await (const { number, path, values } of recordsIn(files)) {
    count += 1;
    if (!isRecord(values)) yield { number, path, wrong: 'users must be a list of objects' };
    else if (!isOfClient(values)) {
      const place = { number, path, record: values };
      yield userOr(place, () => userOf(new Row(values), settings, options.rp_id));
    }
  }
  if (count > 0) return;
  throw new UsageError(
    'The files have no users: export the realm with its users, such as by kc.sh export --users same_file.',
  );
}

/** A realm of Keycloak, in one file or with its users in files of their own. */
export const keycloak: Vendor = { users, hasWholeDocuments: true };
