import { describe, expect, it } from 'vitest';
import { exportFolder, lineOf, lossesOf, readExport, type Fields } from './export-files.ts';

const file = exportFolder();
const lines = (records: readonly Fields[]): string => records.map((record) => JSON.stringify(record)).join('\n');

const oid = (n: number): string => `5dea9f9c82dd7c0e76e4${String(n).padStart(4, '0')}`;
const id = (n: number): string => `auth0|${oid(n)}`;
const database = (n: number): Fields => ({ connection: 'Username-Password-Authentication', provider: 'auth0', user_id: oid(n), isSocial: false }); // prettier-ignore
const person = (n: number, more: Fields = {}): Fields => {
  const email = `user${n}@example.com`;
  return { user_id: id(n), email, email_verified: true, name: email, created_at: '2019-12-06T18:36:12.412Z', identities: [database(n)], ...more }; // prettier-ignore
};
const social = (provider: string, subject: string, n: number, more: Fields = {}): Fields =>
  person(n, { user_id: `${provider}|${subject}`, identities: [{ provider, user_id: subject, connection: provider, isSocial: true }], ...more }); // prettier-ignore

const PEOPLE: readonly Fields[] = [
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
const HASH = '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.';
const hashed = (n: number, more: Fields = {}): Fields => {
  const email = `user${n}@example.com`;
  return { _id: { $oid: oid(n) }, email_verified: n !== 2, email, passwordHash: HASH, password_set_date: { $date: '2019-12-06T18:36:12.412Z' }, tenant: 't', connection: 'Username-Password-Authentication', _tmp_is_unique: true, ...more }; // prettier-ignore
};
const HASHES = [
  hashed(1),
  hashed(2),
  hashed(3, { alt_id: 'euclid' }),
  hashed(8),
  hashed(9),
  ...[12, 13, 14, 15, 16, 18, 19, 20].map((n) => hashed(n)),
];

const METHODS: readonly Fields[] = [
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

const users = (): string => file('users.ndjson', lines(PEOPLE));
const hashes = (): string => file('hashes.ndjson', lines(HASHES));
const methods = (): string => file('methods.ndjson', lines(METHODS));

describe('an export of Auth0', () => {
  it('joins users, hashes and second factors, in any order', async () => {
    for (const paths of [
      [users(), hashes(), methods()],
      [methods(), hashes(), users()],
    ]) {
      const read = await readExport('auth0', paths, { rp_id: 'example.com', secret: null });
      expect(read.wrong).toEqual([]);
      expect(read.users).toHaveLength(20);
      expect(lineOf(read, id(1))).toEqual({
        external_id: id(1),
        created_at: '2019-12-06T18:36:12.412Z',
        name: { first_name: 'Ada', last_name: 'Lovelace' },
        emails: [{ email: 'user1@example.com', verified: true }],
        password: { hash: HASH },
      });
      expect(lineOf(read, id(2))['emails']).toEqual([{ email: 'user2@example.com', verified: false }]);
      expect(lineOf(read, 'auth0|euclid')['password'], 'by alt_id').toEqual({ hash: HASH });
      expect(lossesOf(read, id(4)), 'a custom database').toEqual(['password']);
      expect(lineOf(read, 'google-oauth2|108204268033311374519')).toMatchObject({ social_accounts: [{ provider: 'google', subject: '108204268033311374519' }] }); // prettier-ignore
      expect(lineOf(read, 'windowslive|4cf0a30169d55031')).toMatchObject({ social_accounts: [{ provider: 'microsoft' }] }); // prettier-ignore
      expect(lineOf(read, 'github|583231')).toMatchObject({ social_accounts: [{ provider: 'github', subject: '583231' }] }); // prettier-ignore
      expect(lineOf(read, id(8))).toMatchObject({ password: { hash: HASH }, social_accounts: [{ provider: 'google', subject: '555', email: 'other@example.com' }] }); // prettier-ignore
      expect(lineOf(read, 'google-oauth2|777')['password'], 'of a linked identity').toEqual({ hash: HASH });
      expect(lineOf(read, 'sms|5dea10')).toMatchObject({ phone_numbers: [{ phone_number: '+14155550110', verified: true }] }); // prettier-ignore
      expect(lineOf(read, 'sms|5dea10')['name']).toBeUndefined();
      expect(lineOf(read, 'email|5dea11'), 'a code proved it').toMatchObject({ emails: [{ verified: true }] });
      expect(lineOf(read, id(12))).toMatchObject({ locked: true });
      expect(lossesOf(read, id(13))).toEqual(['username']);
      expect(lossesOf(read, id(14))).toEqual(['app', 'recovery codes']);
      expect(lineOf(read, id(14))).toMatchObject({
        phone_numbers: [{ phone_number: '+14155550114', verified: true }],
        passkeys: [{ credential_id: 'q0F7', public_key: 'pQECAyYgASFYIA', counter: 0, rp_id: 'login.example.com', user_handle: 'AQID', name: 'Phone', backed_up: true, backup_eligible: true, transports: ['internal'] }], // prettier-ignore
      });
      expect(lineOf(read, id(15))).toMatchObject({ trusted_metadata: { plan: 'gold' }, untrusted_metadata: { lang: 'fr' }, passkeys: [{ rp_id: 'example.com', user_handle: null }] }); // prettier-ignore
      expect(lossesOf(read, id(16))).toEqual(['metadata']);
      expect(lossesOf(read, 'samlp|okta|ada')).toEqual(['social account']);
      expect(lineOf(read, id(20))['password'], 'without identities').toEqual({ hash: HASH });
    }
  });

  it('says which file is missing', async () => {
    const read = await readExport('auth0', [users()]);
    expect(read.users[0]?.losses).toMatchObject([{ what: 'password', reason: expect.stringContaining('--also') }]);
    expect(lossesOf(read, id(14))).toEqual(['password', 'app']);
    const without = await readExport('auth0', [users(), methods()]);
    expect(lossesOf(without, id(15)), 'no --rp-id').toEqual(['password', 'passkey']);
  });

  it('takes the apostrophes from the texts of a CSV, and metadata from its columns', async () => {
    const csv = `user_id,email,email_verified,name,user_metadata.lang,app_metadata.plan\n"'${id(1)}","'user1@example.com",true,"'''s Gravesande",'fr,"'gold"\n'${id(2)},'user2@example.com,false,,,\n`; // prettier-ignore
    const read = await readExport('auth0', [file('users.csv', csv), hashes()]);
    expect(read.wrong).toEqual([]);
    expect(lineOf(read, id(1))).toEqual({
      external_id: id(1),
      name: { first_name: "''s Gravesande" },
      emails: [{ email: 'user1@example.com', verified: true }],
      untrusted_metadata: { lang: 'fr' },
      trusted_metadata: { plan: 'gold' },
      password: { hash: HASH },
    });
    expect(lineOf(read, id(2))['emails']).toEqual([{ email: 'user2@example.com', verified: false }]);
  });

  it('makes users of the file of hashes alone, whose addresses may be among the identifiers', async () => {
    const only = { ...hashed(21), email: undefined, email_verified: undefined, identifiers: [{ type: 'email', value: 'listed@example.com', verified: true }, { type: 'phone_number', value: '+12125550100', verified: false }] }; // prettier-ignore
    const read = await readExport('auth0', [file('alone.ndjson', lines([hashed(1), only]))]);
    expect(lineOf(read, id(1))).toMatchObject({ password: { hash: HASH } });
    expect(lineOf(read, id(21))).toMatchObject({
      emails: [{ email: 'listed@example.com', verified: true }],
      phone_numbers: [{ phone_number: '+12125550100', verified: false }],
    });
  });

  it('names a record without an id', async () => {
    const read = await readExport('auth0', [file('few.ndjson', lines([{ email: 'a@example.com' }, ...PEOPLE.slice(0, 1)]))]); // prettier-ignore
    expect(read.wrong).toMatchObject([{ number: 1, wrong: expect.stringContaining('user_id is missing') }]);
    expect(read.users).toHaveLength(1);
  });
});
