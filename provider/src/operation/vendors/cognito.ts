import { emailsFrom, isSet, jsonFrom, metadataFrom, nameFrom, numbersFrom, recordsFrom, textFrom, textsFrom, timeFrom, valuesOf, withoutEmpty, type Fields } from './values.ts'; // prettier-ignore
import { socialFrom } from './social.ts';
import type { Loss, Vendor, VendorUser } from './vendor.ts';

/** Of `list-users`, of `admin-get-user`, and of the CSV of an import job, whose columns are the attributes themselves. */
const USER = {
  username: ['Username', 'cognito:username'],
  attributes: ['Attributes', 'UserAttributes'],
  created: ['UserCreateDate'],
  enabled: ['Enabled'],
  status: ['UserStatus', 'cognito:user_status'],
  settings: ['UserMFASettingList'],
  options: ['MFAOptions'],
} as const;

const ATTRIBUTES = {
  sub: ['sub'],
  email: ['email'],
  emailVerified: ['email_verified'],
  phone: ['phone_number'],
  phoneVerified: ['phone_number_verified'],
  first: ['given_name'],
  middle: ['middle_name'],
  last: ['family_name'],
  name: ['name'],
  preferred: ['preferred_username'],
  identities: ['identities'],
} as const;

/** The attributes by name: a list of pairs in JSON, and the columns in a CSV. */
function attributesOf(fields: Fields, list: unknown): Fields {
  const pairs = recordsFrom(list).map((each) => [textFrom(each['Name']) ?? '', each['Value']] as const);
  return pairs.length > 0 ? Object.fromEntries(pairs) : fields;
}

/** The attributes of the pool's own. The apps of a pool may let users write them, so they are not trusted. */
function ownAttributes(attributes: Fields): Fields {
  const own = Object.entries(attributes).filter(([name, value]) => name.startsWith('custom:') && value !== '');
  return Object.fromEntries(own.map(([name, value]) => [name.slice('custom:'.length), value]));
}

const isExternal = (status: string | null): boolean => status === 'EXTERNAL_PROVIDER';

interface Names {
  readonly username: string | null;
  readonly values: ReturnType<typeof valuesOf<typeof ATTRIBUTES>>;
  readonly status: string | null;
}

/** Whether people logged in with a name that is neither an id nor an address or a number. */
function hasUsername({ username, values, status }: Names): boolean {
  if (textFrom(values.preferred) !== null) return true;
  if (username === null || isExternal(status)) return false;
  const others = [values.sub, values.email, values.phone].map((value) => textFrom(value)?.toLowerCase());
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(username);
  return !isId && !others.includes(username.toLowerCase());
}

function lossesOf(fields: Fields, names: Names): readonly Loss[] {
  const values = valuesOf(USER, fields);
  const losses: Loss[] = [];
  if (!isExternal(names.status)) losses.push({ what: 'password', reason: 'Cognito exports no hashes' });
  if (textsFrom(jsonFrom(values.settings)).includes('SOFTWARE_TOKEN_MFA')) {
    losses.push({ what: 'app', reason: 'Cognito exports no secrets' });
  }
  if (hasUsername(names)) losses.push({ what: 'username', reason: 'logins here need an address or a number' });
  return losses;
}

function userFrom(fields: Fields): Omit<VendorUser, 'number'> | string {
  const user = valuesOf(USER, fields);
  const attributes = attributesOf(fields, user.attributes);
  const values = valuesOf(ATTRIBUTES, attributes);
  const username = textFrom(user.username);
  const id = textFrom(values.sub) ?? username;
  if (id === null) return 'Username and the attribute sub are missing';
  const status = textFrom(user.status);
  const social = socialFrom(
    recordsFrom(values.identities).map((each) => ({
      provider: textFrom(each['providerName']),
      subject: textFrom(each['userId']),
      email: null,
    })),
  );
  const untrusted = metadataFrom(ownAttributes(attributes), 'untrusted_metadata');
  const [email, phone] = [textFrom(values.email), textFrom(values.phone)];
  const line = withoutEmpty({
    external_id: id,
    created_at: timeFrom(user.created),
    // Without a code, the address or number is anybody's.
    status: status === 'UNCONFIRMED' ? 'pending' : null,
    name: nameFrom({ first: values.first, middle: values.middle, last: values.last, display: values.name }),
    emails: emailsFrom(email === null ? [] : [{ value: email, verified: isSet(values.emailVerified) }]),
    phone_numbers: numbersFrom(phone === null ? [] : [{ value: phone, verified: isSet(values.phoneVerified) }]),
    untrusted_metadata: untrusted.value,
    locked: user.enabled === false || user.enabled === 'false' ? true : null,
    social_accounts: social.accounts,
  });
  return {
    line,
    losses: [...lossesOf(fields, { username, values, status }), ...social.losses, ...untrusted.losses],
  };
}

export const COGNITO: Vendor = {
  async *users(files) {
    for (const { path, records } of files) {
      for await (const { number, values } of records()) {
        const user = userFrom(values);
        yield typeof user === 'string' ? { number, path, wrong: user } : { number, path, ...user };
      }
    }
  },
};
