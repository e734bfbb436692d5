import { nameOfParts } from '../person/name.ts';
import { vendorUser } from '../person/person.ts';
import { COMPANY_LOGIN, socialAccount, type SocialAccount } from '../person/social.ts';
import { tablesOf, usersOf, type Table, type UserOfRecord } from '../rows/files.ts';
import { orLoss } from '../rows/loss.ts';
import { FieldFault, Row, type Values } from '../rows/row.ts';
import type { Loss, Vendor, VendorFile, VendorUser, WrongRecord } from '../vendor.ts';

/** Of `list-users`, of `admin-get-user`, and of the CSV of an import job, whose columns are the attributes themselves. */
const USERS: Table<'users'> = {
  name: 'users',
  columns: [['username', 'cognito:username', 'attributes', 'userattributes']],
  hasUsers: true,
};

/** The attributes by name: a list of pairs in JSON, and the columns in a CSV. */
function attributesOf(row: Row): Row {
  const pairs = [...row.rows('Attributes'), ...row.rows('UserAttributes')];
  if (pairs.length === 0) return row;
  return new Row(Object.fromEntries(pairs.map((each) => [each.requiredText('Name'), each.value('Value')])), ' in Attributes'); // prettier-ignore
}

/** The standard attributes that a line has in no other field. */
const OTHERS = 'address birthdate gender locale nickname picture profile website zoneinfo'.split(' ');

/** The apps of a pool may let users write its own attributes, too, so none is trusted. */
const metadataOf = (attributes: Row): Values => ({
  ...Object.fromEntries(OTHERS.map((name) => [name, attributes.text(name)])),
  ...attributes.under('custom:'),
});

/** Built-in providers have their name as the type, whatever an administrator calls them. */
function accountOf(row: Row): SocialAccount | Loss {
  const type = row.text('providerType');
  if (type === 'SAML') return COMPANY_LOGIN;
  const provider = type === null || type === 'OIDC' ? row.requiredText('providerName') : type;
  return socialAccount({ provider, subject: row.text('userId') });
}

/** Whether people logged in with a name that is neither an id nor an address or a number. */
function hasUsername(username: string | null, attributes: Row): boolean {
  if (attributes.text('preferred_username') !== null) return true;
  if (username === null) return false;
  const others = ['sub', 'email', 'phone_number'].map((name) => attributes.text(name)?.toLowerCase());
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(username);
  return !isId && !others.includes(username.toLowerCase());
}

const PASSWORD: Loss = { what: 'password', reason: 'Cognito exports no hashes' };
const APP: Loss = { what: 'app', reason: 'Cognito exports no secrets' };
const USERNAME: Loss = { what: 'username', reason: 'logins here need an address or a number' };

function userOf(row: Row): UserOfRecord {
  const attributes = attributesOf(row);
  const username = row.text('Username', 'cognito:username');
  const id = attributes.text('sub') ?? username;
  if (id === null) throw new FieldFault('Username and the attribute sub are missing');
  const status = row.text('UserStatus', 'cognito:user_status');
  const isExternal = status === 'EXTERNAL_PROVIDER';
  const [email, phone] = [attributes.text('email'), attributes.text('phone_number')];
  const [first, last, middle] = ['given_name', 'family_name', 'middle_name'].map((name) => attributes.text(name));
  const hasParts = typeof first === 'string' || typeof last === 'string';
  return vendorUser({
    id,
    created_at: row.time('UserCreateDate'),
    // Without a code, the address or number is anybody's.
    status: status === 'UNCONFIRMED' ? 'pending' : null,
    emails: email === null ? [] : [{ email, verified: attributes.flag('email_verified') ?? false }],
    phone_numbers: phone === null ? [] : [{ phone_number: phone, verified: attributes.flag('phone_number_verified') ?? false }], // prettier-ignore
    name: hasParts ? nameOfParts(first ?? null, last, middle) : nameOfParts(attributes.text('name'), null, middle),
    untrusted_metadata: metadataOf(attributes),
    locked: row.flag('Enabled') === false,
    social_accounts: attributes.rows('identities').map((each) => orLoss('social account', () => accountOf(each))),
    losses: [
      ...(isExternal ? [] : [PASSWORD]),
      ...(row.texts('UserMFASettingList').includes('SOFTWARE_TOKEN_MFA') ? [APP] : []),
      ...(hasUsername(isExternal ? null : username, attributes) ? [USERNAME] : []),
    ],
  });
}

async function* users(files: readonly VendorFile[]): AsyncGenerator<VendorUser | WrongRecord> {
  yield* usersOf(await tablesOf('Cognito', [USERS], files), 'users', userOf);
}

/** Users of a pool of Cognito, as its command line tool lists them, or as an import job takes them. */
export const cognito: Vendor = { users };
