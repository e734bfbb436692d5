import type { Fields } from '../export-files.ts';
import type { OldPerson, OldSystem } from '../old-people.ts';

export const sub = (n: number): string => `a1b2c3d4-5678-90ab-cdef-${String(n).padStart(12, '0')}`;
const attributes = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([Name, Value]) => ({ Name, Value })); // prettier-ignore

/** As `aws cognito-idp list-users` prints it. */
function person(n: number, values: Readonly<Record<string, string>> = {}, more: Fields = {}): Fields {
  const email = { email: `user${n}@example.com`, email_verified: 'true' };
  return { Username: sub(n), Attributes: attributes({ sub: sub(n), ...email, ...values }), UserCreateDate: '2023-11-30T12:15:45.212000+01:00', UserLastModifiedDate: '2023-11-30T12:15:45.212000+01:00', Enabled: true, UserStatus: 'CONFIRMED', ...more }; // prettier-ignore
}

const google = JSON.stringify([{ userId: '108204268033311374519', providerName: 'Google', providerType: 'Google', issuer: null, primary: true, dateCreated: 1_700_000_000_000 }]); // prettier-ignore
const okta = JSON.stringify([{ userId: 'ada', providerName: 'okta', providerType: 'SAML', primary: true }]);
const EXTERNAL = { UserStatus: 'EXTERNAL_PROVIDER' };

export const PEOPLE: readonly Fields[] = [
  person(1, { given_name: 'Ada', family_name: 'Lovelace' }),
  person(2, { email_verified: 'false' }, { UserStatus: 'UNCONFIRMED' }),
  person(3, { phone_number: '+14155550103', phone_number_verified: 'true' }),
  person(4, {}, { Attributes: attributes({ sub: sub(4), phone_number: '+14155550104', phone_number_verified: 'true' }) }), // prettier-ignore
  person(5, { identities: google }, { Username: 'Google_108204268033311374519', ...EXTERNAL }),
  person(6, { identities: google.replace('108', '208').replaceAll('Google', 'SignInWithApple') }, EXTERNAL),
  person(7, { identities: okta }, { Username: 'okta_ada', ...EXTERNAL }),
  person(8, {}, { Enabled: false }),
  person(9, {}, { Username: 'kate' }),
  person(10, { preferred_username: 'kate10' }),
  person(11, {}, { UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] }),
  person(12, { 'custom:plan': 'gold', 'custom:lang': '' }),
  person(13, { name: 'Zo\u00eb \u{1F600} \u738b' }),
  person(14, {}, { UserStatus: 'FORCE_CHANGE_PASSWORD' }),
  person(15, {}, { UserStatus: 'RESET_REQUIRED' }),
  person(16, {}, { UserCreateDate: 1_490_177_000.123 }),
  person(17, { email: `${'a'.repeat(64)}@example.com` }),
  person(18, {}, { Username: 'User18@Example.com' }),
  person(19, {}, { Attributes: attributes({ sub: sub(19) }) }),
  person(20, { identities: google.replace('108', '308') }),
];

const PROVIDERS: Readonly<Record<string, string>> = { google: 'Google', facebook: 'Facebook', apple: 'SignInWithApple', amazon: 'LoginWithAmazon' }; // prettier-ignore

function userOf({ n, id: Username, first, last, emails: [address], phone, social, isBlocked, metadata }: OldPerson): Fields {
  const identities = social === null ? [] : [{ userId: social.subject, providerName: PROVIDERS[social.provider], providerType: PROVIDERS[social.provider], issuer: null, primary: false, dateCreated: 1_700_000_000_000 }];
  const values = {
    sub: Username,
    given_name: first,
    family_name: last,
    ...(address === undefined ? {} : { email: address.email, email_verified: String(address.verified) }),
    ...(phone === null ? {} : { phone_number: phone, phone_number_verified: 'true' }),
    ...(identities.length === 0 ? {} : { identities: JSON.stringify(identities) }),
    'custom:plan': String(metadata['plan']),
  };
  return person(n, {}, { Username, Attributes: attributes(values), Enabled: !isBlocked });
} // prettier-ignore

/** It exports no hashes: the pool itself checks each password once. */
export const COGNITO: OldSystem = {
  features: ['password', 'social', 'phone'],
  providers: ['google', 'facebook', 'apple', 'amazon'],
  idOf: sub,
  write: async (people) => ({ 'users.json': JSON.stringify({ Users: people.map(userOf) }, null, 4) }),
};
