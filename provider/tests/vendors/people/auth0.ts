import type { Fields } from '../export-files.ts';
import { bcryptText } from '../old-hashes.ts';
import type { OldPerson, OldSystem } from '../old-people.ts';

export const lines = (records: readonly Fields[]): string => records.map((record) => JSON.stringify(record)).join('\n');

const oid = (n: number): string => `5dea9f9c82dd7c0e76e4${String(n).padStart(4, '0')}`;
export const id = (n: number): string => `auth0|${oid(n)}`;
const database = (n: number): Fields => ({ connection: 'Username-Password-Authentication', provider: 'auth0', user_id: oid(n), isSocial: false }); // prettier-ignore
const person = (n: number, more: Fields = {}): Fields => {
  const email = `user${n}@example.com`;
  return { user_id: id(n), email, email_verified: true, name: email, created_at: '2019-12-06T18:36:12.412Z', identities: [database(n)], ...more }; // prettier-ignore
};
const social = (provider: string, subject: string, n: number, more: Fields = {}): Fields =>
  person(n, { user_id: `${provider}|${subject}`, identities: [{ provider, user_id: subject, connection: provider, isSocial: true }], ...more }); // prettier-ignore

export const PEOPLE: readonly Fields[] = [
  person(1, { given_name: 'Ada', family_name: 'Lovelace', name: 'Ada Lovelace' }),
  person(2, { email_verified: false }),
  person(3, { user_id: 'auth0|euclid', identities: [{ ...database(3), user_id: 'euclid' }] }),
  person(4),
  social('google-oauth2', '108204268033311374519', 5),
  social('windowslive', '4cf0a30169d55031', 6),
  social('github', '583231', 7, { identities: [{ provider: 'github', user_id: 583_231, isSocial: true }] }),
  person(8, { identities: [database(8), { provider: 'google-oauth2', user_id: '555', profileData: { email: 'other@example.com' } }] }), // prettier-ignore
  social('google-oauth2', '777', 9, { identities: [{ provider: 'google-oauth2', user_id: '777' }, database(9)] }),
  person(10, { user_id: 'sms|5dea10', email: undefined, email_verified: undefined, name: '+14155550110', phone_number: '+14155550110', identities: [{ provider: 'sms', user_id: '5dea10', connection: 'sms' }] }), // prettier-ignore
  person(11, { user_id: 'email|5dea11', email_verified: false, identities: [{ provider: 'email', user_id: '5dea11' }] }), // prettier-ignore
  person(12, { blocked: true }),
  person(13, { username: 'kate', name: 'Zo\u00eb \u{1F600}' }),
  person(14, { multifactor: ['guardian'] }),
  person(15, { app_metadata: { plan: 'gold' }, user_metadata: { lang: 'fr' } }),
  person(16, { app_metadata: { text: 'x'.repeat(5_000) } }),
  social('samlp', 'okta|ada', 17, { user_id: 'samlp|okta|ada' }),
  person(18, { email: `${'a'.repeat(64)}@example.com` }),
  person(19, { email: 'Case@Example.com', blocked: false }),
  person(20, { identities: undefined }),
];

/** The form that Auth0's support documents, with hashes of @node-rs/bcrypt. */
export const HASH = '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.';
export const hashed = (n: number, more: Fields = {}): Fields => {
  const email = `user${n}@example.com`;
  return { _id: { $oid: oid(n) }, email_verified: n !== 2, email, passwordHash: HASH, password_set_date: { $date: '2019-12-06T18:36:12.412Z' }, tenant: 't', connection: 'Username-Password-Authentication', _tmp_is_unique: true, ...more }; // prettier-ignore
};
export const HASHES = [
  hashed(1),
  hashed(2),
  hashed(3, { alt_id: 'euclid' }),
  hashed(8),
  hashed(9),
  ...[12, 13, 14, 15, 16, 18, 19, 20].map((n) => hashed(n)),
];

export const METHODS: readonly Fields[] = [
  {
    user_id: id(14),
    authentication_methods: [
      { id: 'passkey|dev_1', type: 'passkey', confirmed: true, name: 'Phone', key_id: 'q0F7', public_key: 'pQECAyYgASFYIA', credential_device_type: 'multi_device', credential_backed_up: true, relying_party_identifier: 'login.example.com', user_handle: 'AQID', transports: ['internal'], created_at: '2024-05-01T10:00:00.000Z' }, // prettier-ignore
      { id: 'totp|dev_2', type: 'totp', confirmed: true },
      { id: 'totp|dev_3', type: 'totp', confirmed: false },
      { id: 'phone|dev_4', type: 'phone', confirmed: true, phone_number: '+14155550114' },
      { id: 'recovery-code|dev_5', type: 'recovery-code', confirmed: true },
    ],
  },
  { user_id: id(15), type: 'passkey', confirmed: true, key_id: 'zzzz', public_key: 'pQEC' },
];

const STRATEGIES: Readonly<Record<string, string>> = { google: 'google-oauth2', microsoft: 'windowslive' };

/** A user whose first identity is the database, or a login by codes, with a linked social account if there is one. */
function userOf({ n, id: user_id, first, last, emails, phone, social, isBlocked, metadata }: OldPerson): Fields {
  const [address] = emails;
  const identities = [
    phone !== null && address === undefined ? { provider: 'sms', user_id: oid(n), connection: 'sms' } : database(n),
    ...(social === null ? [] : [{ provider: STRATEGIES[social.provider] ?? social.provider, user_id: social.subject, isSocial: true, profileData: { email: social.account } }]),
  ];
  return person(n, { user_id, email: address?.email, email_verified: address?.verified, given_name: first, family_name: last, phone_number: phone ?? undefined, phone_verified: phone === null ? undefined : true, identities, blocked: isBlocked, user_metadata: metadata });
} // prettier-ignore

async function hashOf({ n, password, emails: [address] }: OldPerson): Promise<readonly Fields[]> {
  return password === null ? [] : [hashed(n, { email: address?.email, passwordHash: await bcryptText(password) })];
}

const methodsOf = ({ id: user_id, passkeys }: OldPerson): Fields => ({
  user_id,
  authentication_methods: passkeys.map(({ line }, at) => {
    return { id: `passkey|dev_${at}`, type: 'passkey', confirmed: true, key_id: line.credential_id, public_key: line.public_key, credential_device_type: line.backup_eligible ? 'multi_device' : 'single_device', credential_backed_up: line.backed_up, relying_party_identifier: line.rp_id, user_handle: line.user_handle, created_at: line.created_at }; // prettier-ignore
  }),
});

export const AUTH0: OldSystem = {
  features: ['password', 'passkey', 'social', 'phone'],
  providers: ['google', 'github', 'facebook', 'linkedin'],
  idOf: id,
  write: async (people) => ({
    'users.ndjson': lines(people.map(userOf)),
    'hashes.ndjson': lines((await Promise.all(people.map(hashOf))).flat()),
    'methods.ndjson': lines(people.filter(({ passkeys }) => passkeys.length > 0).map(methodsOf)),
  }),
};
