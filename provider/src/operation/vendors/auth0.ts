import { emailsFrom, isSet, jsonFrom, metadataFrom, nameFrom, numbersFrom, recordFrom, recordsFrom, textFrom, textsFrom, timeFrom, valuesOf, withoutEmpty, type Fields } from './values.ts'; // prettier-ignore
import { methodsFrom, type MethodsOfUser } from './auth0-methods.ts';
import { socialFrom } from './social.ts';
import { filesByTable, hasField, recordsByKey } from './tables.ts';
import type { Loss, Vendor, VendorFile, VendorOptions, VendorUser } from './vendor.ts';

/** An export job has the fields and names that the operator chose; the extension for exports has names with capitals. */
const USER = {
  id: ['user_id', 'Id', 'id'],
  email: ['email', 'Email'],
  emailVerified: ['email_verified', 'Email Verified', 'emailVerified'],
  phone: ['phone_number', 'Phone Number'],
  phoneVerified: ['phone_verified', 'phone_number_verified', 'Phone Verified'],
  username: ['username', 'Username'],
  name: ['name', 'Name'],
  first: ['given_name', 'Given Name'],
  last: ['family_name', 'Family Name'],
  created: ['created_at', 'Created At'],
  blocked: ['blocked', 'Blocked'],
  identities: ['identities'],
  multifactor: ['multifactor', 'multifactor_last_modified'],
  app: ['app_metadata'],
  user: ['user_metadata'],
  /** Of the file of hashes, whose records are users too. */
  oid: ['_id'],
  alt: ['alt_id'],
  hash: ['passwordHash', 'password_hash'],
  identifiers: ['identifiers'],
} as const;

type UserValues = ReturnType<typeof valuesOf<typeof USER>>;

/** The texts of a CSV begin with an apostrophe, so that no spreadsheet runs them. */
function withoutApostrophes(fields: Fields): Fields {
  const id = fields['user_id'] ?? fields['Id'] ?? fields['id'];
  const isOfCsv = typeof id === 'string' && id.startsWith("'");
  if (!isOfCsv) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value.replace(/^'/u, '') : value]),
  );
}

/** The metadata of a field, or of the columns that a CSV has for each of its keys. */
function metadataOf(fields: Fields, name: 'app_metadata' | 'user_metadata'): Fields {
  const columns = Object.entries(fields).filter(([key, value]) => key.startsWith(`${name}.`) && value !== '');
  return { ...Object.fromEntries(columns.map(([key, value]) => [key.slice(name.length + 1), value])), ...recordFrom(fields[name]) }; // prettier-ignore
}

interface Identity {
  readonly provider: string;
  readonly subject: string;
  readonly email: string | null;
}

/** The identities of a user. An export without them has the first one in the id, such as `google-oauth2|1234`. */
function identitiesOf(values: UserValues, id: string): readonly Identity[] {
  const identities = recordsFrom(values.identities).flatMap((each) => {
    const [provider, subject] = [textFrom(each['provider']), textFrom(each['user_id'])];
    const email = textFrom(recordFrom(each['profileData'])['email']);
    return provider === null || subject === null ? [] : [{ provider, subject: subject.replace(`${provider}|`, ''), email }]; // prettier-ignore
  });
  if (identities.length > 0) return identities;
  const [provider = '', ...subject] = id.split('|');
  return subject.length === 0 ? [] : [{ provider, subject: subject.join('|'), email: null }];
}

/** The id of a record of the file of hashes: its own one where it has one, else that of the database. */
function idOfHash(fields: Fields): string | null {
  const values = valuesOf(USER, fields);
  const oid = recordFrom(values.oid)['$oid'] ?? values.oid;
  const id = textFrom(values.alt) ?? textFrom(oid);
  return id === null ? null : `auth0|${id}`;
}

interface Auth0Tables {
  readonly hashes: ReadonlyMap<string, Fields>;
  readonly hasHashes: boolean;
  readonly methods: ReadonlyMap<string, MethodsOfUser>;
  readonly hasMethods: boolean;
}

/** The hash of the first identity with one. */
function hashOf(identities: readonly Identity[], { hashes }: Auth0Tables): string | null {
  for (const { provider, subject } of identities) {
    const record = provider === 'auth0' ? hashes.get(`auth0|${subject}`) : undefined;
    const hash = record === undefined ? null : textFrom(valuesOf(USER, record).hash);
    if (hash !== null) return hash;
  }
  return null;
}

interface Contacts {
  readonly emails: readonly Fields[];
  readonly phones: readonly Fields[];
}

function contactsOf(values: UserValues, identities: readonly Identity[], phonesOfMethods: readonly string[]): Contacts {
  const listed = recordsFrom(values.identifiers).flatMap((each) => {
    const value = textFrom(each['value']);
    return value === null ? [] : [{ type: textFrom(each['type']), value, verified: isSet(each['verified']) }];
  });
  const ofType = (type: string) => listed.filter((each) => each.type === type);
  const email = textFrom(values.email);
  const phone = textFrom(values.phone);
  // A login by a code proves the address or number of its identity.
  const ways = new Set(identities.map(({ provider }) => provider));
  return {
    emails: emailsFrom([
      ...(email === null ? [] : [{ value: email, verified: isSet(values.emailVerified) || ways.has('email') }]),
      ...ofType('email'),
    ]),
    phones: numbersFrom([
      ...(phone === null ? [] : [{ value: phone, verified: isSet(values.phoneVerified) || ways.has('sms') }]),
      ...ofType('phone_number'),
      ...phonesOfMethods.map((value) => ({ value, verified: true })),
    ]),
  };
}

/** The ways to log in that are no social accounts. */
const OWN = new Set(['auth0', 'email', 'sms']);

function lossesOf(
  values: UserValues,
  hasPassword: boolean,
  identities: readonly Identity[],
  tables: Auth0Tables,
): readonly Loss[] {
  // prettier-ignore
  const losses: Loss[] = [];
  if (!hasPassword && identities.some(({ provider }) => provider === 'auth0')) {
    losses.push({ what: 'password', reason: tables.hasHashes ? 'the file of hashes has none of it, as for a database of your own' : 'Auth0’s support sends the hashes in a file of their own: give it with --also' }); // prettier-ignore
  }
  if (!tables.hasMethods && textsFrom(jsonFrom(values.multifactor)).length > 0) {
    losses.push({ what: 'app', reason: 'the Management API lists the second factors: give that file with --also' });
  }
  const [email, username] = [textFrom(values.email), textFrom(values.username)];
  if (username !== null && username.toLowerCase() !== email?.toLowerCase()) {
    losses.push({ what: 'username', reason: 'logins here need an address or a number' });
  }
  return losses;
}

function userFrom(record: Fields, tables: Auth0Tables): Omit<VendorUser, 'number'> | string {
  const fields = withoutApostrophes(record);
  const values = valuesOf(USER, fields);
  const id = textFrom(values.id) ?? idOfHash(fields);
  if (id === null) return 'user_id is missing: choose that field in the export job';
  const identities = identitiesOf(values, id);
  const own = textFrom(values.hash);
  const hash = own ?? hashOf(identities, tables);
  const methods = tables.methods.get(id);
  const contacts = contactsOf(values, identities, methods?.phones ?? []);
  const social = socialFrom(identities.filter(({ provider }) => !OWN.has(provider)));
  const trusted = metadataFrom(metadataOf(fields, 'app_metadata'), 'trusted_metadata');
  const untrusted = metadataFrom(metadataOf(fields, 'user_metadata'), 'untrusted_metadata');
  const name = textFrom(values.name);
  const isOfContact = name === textFrom(values.email) || name === textFrom(values.phone);
  const line = withoutEmpty({
    external_id: id,
    created_at: timeFrom(recordFrom(values.created)['$date'] ?? values.created),
    name: nameFrom({ first: values.first, middle: null, last: values.last, display: isOfContact ? null : name }),
    emails: contacts.emails,
    phone_numbers: contacts.phones,
    trusted_metadata: trusted.value,
    untrusted_metadata: untrusted.value,
    locked: isSet(values.blocked) ? true : null,
    password: hash === null ? null : { hash },
    passkeys: methods?.passkeys ?? [],
    social_accounts: social.accounts,
  });
  const losses = [
    ...lossesOf(values, hash !== null, identities, tables),
    ...(methods?.losses ?? []),
    ...social.losses,
    ...trusted.losses,
    ...untrusted.losses,
  ];
  return { line, losses };
}

async function tablesOf(
  hashes: readonly VendorFile[],
  methods: readonly VendorFile[],
  options: VendorOptions,
): Promise<Auth0Tables> {
  // prettier-ignore
  return {
    hashes: await recordsByKey(hashes, idOfHash),
    hasHashes: hashes.length > 0,
    methods: await methodsFrom(methods, options),
    hasMethods: methods.length > 0,
  };
}

export const AUTH0: Vendor = {
  async *users(files, options) {
    const byTable = await filesByTable(files, {
      hashes: hasField('_id', 'passwordHash'),
      methods: (fields) => Object.hasOwn(fields, 'authentication_methods') || (Object.hasOwn(fields, 'type') && Object.hasOwn(fields, 'confirmed')), // prettier-ignore
      users: hasField(...USER.id, 'email'),
    });
    // The file of hashes alone has users, too.
    const isHashesAlone = byTable.users.length === 0;
    const tables = await tablesOf(isHashesAlone ? [] : byTable.hashes, byTable.methods, options);
    for (const { path, records } of isHashesAlone ? byTable.hashes : byTable.users) {
      for await (const { number, values } of records()) {
        const user = userFrom(values, { ...tables, hasHashes: byTable.hashes.length > 0 });
        yield typeof user === 'string' ? { number, path, wrong: user } : { number, path, ...user };
      }
    }
  },
};
