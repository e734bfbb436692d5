import { describe, expect, it } from 'vitest';
import { exportFolder, lineOf, lossesOf, readExport } from './export-files.ts';
import { HASH, hashed, HASHES, id, lines, METHODS, PEOPLE } from './people/auth0.ts';

const file = exportFolder();
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
      expect(lossesOf(read, 'windowslive|4cf0a30169d55031'), 'no id of a login').toEqual(['social account']);
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
