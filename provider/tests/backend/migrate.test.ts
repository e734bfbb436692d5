import { hash as argon2 } from '@node-rs/argon2';
import { createHash, pbkdf2Sync, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { somePassword } from '#provider/accounts/passwords/store.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, WITHOUT_PKCE, type Fields } from '../kit/harness.ts';
import { withRealHashes } from '../kit/light-hash-parameters.ts';
import { FIREBASE } from '../passwords/vendor-hashes.ts';
import { oneOf } from '#tests/soak.ts';

withRealHashes();

const PASSWORD = 'violet tractor moon 88';
const BCRYPT = { hash_type: 'bcrypt', hash: '$2b$04$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.' };
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const EDITOR = { role_id: 'editor', description: '', permissions: [] };
const PROJECT = { ...DEMO_PROJECT, ...WITHOUT_PKCE, rbac_policy: { ...DEMO_PROJECT.rbac_policy, roles: [EDITOR] } };
const salt = Buffer.from('salt of the old system');

/** The same password as each kind of old system keeps it. */
async function oldHashes(): Promise<Readonly<Record<string, Fields>>> {
  const cheap = { memoryCost: 256, timeCost: 2, parallelism: 1 };
  return {
    bcrypt: BCRYPT,
    scrypt: {
      hash: scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 }).toString('base64'),
      scrypt_config: {
        salt: salt.toString('base64'),
        n_parameter: 1024,
        r_parameter: 8,
        p_parameter: 1,
        key_length: 32,
      },
    },
    argon_2i: { hash: await argon2(PASSWORD, { ...cheap, algorithm: 1 }) },
    // At least as costly as this server's own, and replaced all the same.
    argon_2id: { hash: await argon2(PASSWORD, { memoryCost: 19_456, timeCost: 3, parallelism: 1 }) },
    pbkdf_2: {
      hash: pbkdf2Sync(PASSWORD, salt, 1000, 32, 'sha256').toString('hex'),
      pbkdf_2_config: { salt: salt.toString('base64'), iteration_amount: 1000, key_length: 32 },
    },
    sha_1: { hash: digest('sha1', `pepper${PASSWORD}`), sha_1_config: { prepend_salt: 'pepper', append_salt: '' } },
    sha_512: { hash: digest('sha512', `${PASSWORD}salt`), sha_512_config: { prepend_salt: '', append_salt: 'salt' } },
    md_5: { hash: digest('md5', PASSWORD) },
    phpass: { hash: '$P$5abcdefghPISrwydgnmClmnCXDCLPN1' },
  };
}

describe.each(EITHER_DATABASE)('passwords that are moved here, on %s', (_, database) => {
  let backend: Backend;
  let passwords: Backend['client']['passwords'];
  let old: Readonly<Record<string, Fields>>;
  beforeAll(async () => {
    [backend, old] = await Promise.all([startBackend(database, { project: PROJECT }), oldHashes()]);
    passwords = backend.client.passwords;
  });
  afterAll(() => backend.close());

  const migrate = (email: string, fields: Fields = BCRYPT) =>
    passwords.migrate({ email, hash: '', hash_type: 'bcrypt', ...fields });
  const enter = (email: string, password = PASSWORD) => passwords.authenticate({ email, password });
  const stored = async (user_id: string) => {
    const { db } = backend.provider.services;
    return db.selectFrom('passwords').selectAll().where('user_id', '=', user_id).executeTakeFirstOrThrow();
  };

  it.each(oneOf(6, ['bcrypt', 'scrypt', 'argon_2i', 'argon_2id', 'pbkdf_2', 'sha_1', 'sha_512', 'md_5', 'phpass']))(
    'log in with a hash of %s, which the first login replaces',
    async (hash_type) => {
      const email = `${hash_type}@example.com`;
      const { user_id } = await migrate(email, { hash_type, ...old[hash_type] });
      const before = await stored(user_id);
      // A copy of the database alone does not reveal it.
      expect(before.hash).toMatch(/^migrated:/u);
      expect(before.hash).not.toContain(String(old[hash_type]?.['hash']));
      expect(await refusalOf(enter(email, `${PASSWORD}.`))).toMatchObject({ error_type: 'unauthorized_credentials' });
      expect((await stored(user_id)).hash).toBe(before.hash);
      const client = { email, password: PASSWORD, session_duration_minutes: 60 };
      const done = hash_type.startsWith('sha')
        ? (await backend.provider.post('/passwords/authenticate', client)).data
        : await enter(email);
      expect(done['user_id']).toBe(user_id);
      const after = await stored(user_id);
      expect(after.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/u);
      expect(after.password_id).toBe(before.password_id);
      expect(await enter(email)).toMatchObject({ user_id });
    },
  );

  it('need no type in the form of another product, and take the parameters of a Firebase project', async () => {
    const moved = { hash: '$2y$04$N1vEMKAItSeAUSRCOitDJOtBDbG8d0Ll8ndB.9L7RIR8geRT9qeDW', hash_type: undefined };
    const { user_id } = await migrate('text@example.com', moved);
    expect(await enter('text@example.com')).toMatchObject({ user_id });
    const firebase = {
      hash: 'lsTZ/fAELq1iDlfdsGadKIA6+g3bUw2hJ7OKcPb1NUD+t/CwZKqr2IU5Yh6oeJcdSfkf0tjzJN7eyzuIqO2tsA==',
      hash_type: undefined,
      salt: '42xEC+ixf3L2lw==',
      firebase_config: FIREBASE,
    };
    await migrate('firebase@example.com', firebase);
    expect((await stored((await enter('firebase@example.com')).user_id)).hash).toMatch(/^\$argon2id\$/u);
    const broken = { ...firebase, firebase_config: { ...FIREBASE, mem_cost: 40 } };
    expect(await refusalOf(migrate('broken@example.com', broken))).toMatchObject({
      error_type: 'invalid_hash',
      error_details: { field: 'firebase_config.mem_cost' },
    });
    const bare = { hash: digest('md5', PASSWORD), hash_type: undefined };
    expect(await refusalOf(migrate('bare@example.com', bare))).toMatchObject({
      error_message: expect.stringContaining('may be md_5'),
      error_details: { field: 'hash_type' },
    });
  });

  it('make a user, or join the one who has the address', async () => {
    const email = 'joined@example.com';
    const { user_id } = await backend.provider.signIn(email);
    const joined = await migrate(email);
    expect(joined).toMatchObject({ user_id, user_created: false, user: { emails: [{ verified: true }] } });
    const made = await migrate('made@example.com');
    expect(made).toMatchObject({
      user_created: true,
      user: {
        status: 'active',
        emails: [{ email_id: made.email_id, verified: false }],
        password: { requires_reset: false },
      },
    });
    const again = await refusalOf(migrate('made@example.com', { hash_type: 'md_5', ...old['md_5'] }));
    expect(again).toMatchObject({ status_code: 400, error_type: 'duplicate_email' });
  });

  it('come with what the old system knew of the user', async () => {
    const about = {
      name: { first_name: 'Ada', last_name: 'Lovelace' },
      trusted_metadata: { plan: 'gold' },
      untrusted_metadata: { theme: 'dark' },
      external_id: 'old-system|42',
    };
    const { user, user_id } = await migrate('known@example.com', {
      ...BCRYPT,
      ...about,
      roles: ['editor'],
      set_email_verified: true,
      phone_number: '+14155552671',
      set_phone_number_verified: true,
    });
    expect(user).toMatchObject({
      ...about,
      emails: [{ verified: true }],
      phone_numbers: [{ phone_number: '+14155552671', verified: true }],
    });
    expect(user.roles).toContain('editor');
    expect((await backend.client.users.get({ user_id: 'old-system|42' })).user_id).toBe(user_id);
    const unverified = await migrate('number@example.com', { ...BCRYPT, phone_number: '+442071838750' });
    expect(unverified.user.phone_numbers).toMatchObject([{ verified: false }]);
  });

  it('leave nothing behind when something about them is refused', async () => {
    const refusals: readonly (readonly [fields: Fields, type: string])[] = [
      [{ phone_number: '+14155552671' }, 'duplicate_phone_number'],
      [{ phone_number: '+1' }, 'invalid_phone_number'],
      [{ external_id: 'old-system|42' }, 'duplicate_external_id'],
      [{ external_id: 'no good' }, 'invalid_external_id'],
      [{ roles: ['no such role'] }, 'invalid_role'],
      [{ trusted_metadata: { a: 'x'.repeat(5000) } }, 'invalid_metadata'],
      [{ hash: '$2b$31$Hdschr/PndgsgkCBBd0ltOv7L4n81uj2hcOptLPACxYDVyA8zD4H.' }, 'invalid_hash'],
      [{ hash_type: 'rot13' }, 'invalid_hash'],
      [{ hash_type: 'scrypt', hash: 'x', scrypt_config: {} }, 'invalid_hash'],
      [{ set_email_verified: 'yes' }, 'bad_request'],
    ];
    for (const [fields, error_type] of refusals) {
      const refused = await refusalOf(migrate('refused@example.com', { ...BCRYPT, ...fields }));
      expect([fields, refused]).toMatchObject([fields, { error_type, status_code: 400 }]);
    }
    const emails = await backend.provider.services.db.selectFrom('emails').select('email').execute();
    expect(emails.map(({ email }) => email)).not.toContain('refused@example.com');
    expect(await refusalOf(migrate('no address'))).toMatchObject({ error_type: 'invalid_email' });
    const hostile = { ...BCRYPT, hash_type: 'scrypt', hash: 'x', scrypt_config: { n_parameter: 2 ** 30 } };
    expect(await refusalOf(migrate('refused@example.com', hostile))).toMatchObject({
      error_details: { field: 'scrypt_config.n_parameter' },
    });
  });

  it('must be reset when they are known from a breach, whatever their strength was', async () => {
    const { user_id } = await migrate('weak@example.com', { hash_type: 'md_5', hash: digest('md5', 'abc') });
    expect(await enter('weak@example.com', 'abc')).toMatchObject({ user_id });
    await migrate('breached@example.com', { hash_type: 'md_5', hash: digest('md5', 'password123') });
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await refusalOf(enter('breached@example.com', 'password123'))).toMatchObject({
        error_type: 'reset_password',
        error_details: { reason: 'breached' },
      });
    }
    expect(await refusalOf(enter('breached@example.com', 'password124'))).toMatchObject({
      error_type: 'unauthorized_credentials',
    });
  });

  it('cannot be used after the owner of an unverified address came without one', async () => {
    const email = 'unverified@example.com';
    const { user_id } = await migrate(email);
    expect((await backend.provider.signIn(email))['user_id']).toBe(user_id);
    expect(await refusalOf(enter(email))).toMatchObject({ error_type: 'reset_password' });
  });

  it('end what a stranger prepared, when the address is said to be verified', async () => {
    const email = 'prepared@example.com';
    const stranger = await passwords.create({ email, password: PASSWORD, session_duration_minutes: 60 });
    await backend.client.users.deletePassword({ password_id: stranger.user.password?.password_id ?? '' });
    await migrate(email, { ...BCRYPT, set_email_verified: true });
    const { session_token } = stranger;
    expect((await backend.provider.call('GET', '/users/me', undefined, { session: session_token })).status).toBe(401);
    expect((await enter(email)).user_id).not.toBe(stranger.user_id);
  });

  it('log no one in by an unknown address, and compare its password with a stored hash', async () => {
    const { services } = backend.provider;
    const somebody = await somePassword(services, 'nobody@example.com');
    expect(somebody).toBeDefined();
    expect(await somePassword(services, 'nobody@example.com')).toEqual(somebody);
    // Everybody here has this password.
    expect(await refusalOf(enter('nobody@example.com'))).toMatchObject({ error_type: 'unauthorized_credentials' });
    await backend.provider.signIn('without@example.com');
    expect(await refusalOf(enter('without@example.com'))).toMatchObject({ error_type: 'unauthorized_credentials' });
  });

  it('are those of what was entered, and of the same letters composed otherwise', async () => {
    const email = 'letters@example.com';
    // The old system hashed a ligature, which is two letters in the spelling of this server.
    await migrate(email, { hash_type: 'sha_1', hash: digest('sha1', '\ufb01ne tractor 88') });
    expect(await enter(email, '\ufb01ne tractor 88')).toMatchObject({ status_code: 200 });
    expect(await enter(email, 'fine tractor 88')).toMatchObject({ status_code: 200 });
  });

  it('are replaced once when two log in at the same time, and both are let in', async () => {
    const email = 'race@example.com';
    const { user_id } = await migrate(email);
    const all = await Promise.all([enter(email), enter(email), enter(email)]);
    expect(all.map((done) => done.user_id)).toEqual([user_id, user_id, user_id]);
    expect((await stored(user_id)).hash).toMatch(/^\$argon2id\$/u);
  });

  it('are given once when two imports run at the same time', async () => {
    const calls = [migrate('twice@example.com'), migrate('twice@example.com'), migrate('TWICE@example.com')];
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
