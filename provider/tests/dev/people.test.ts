import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOTP, Secret } from 'otpauth';
import { makeControlled, type ControlledProvider } from '../kit/controlled.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { oneOf } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('people and snapshots by request, on %s', (_, url) => {
  let provider: ControlledProvider;
  beforeAll(async () => {
    provider = await makeControlled(url);
    await provider.signIn('before@example.com');
    await provider.control('POST', '/snapshots', { name: 'start' });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    await provider.control('DELETE', '');
    await provider.control('POST', '/snapshots/start/restore');
  });

  const seed = async (...users: readonly object[]) => provider.control('POST', '/users', { users });
  const seeded = async (...users: readonly object[]): Promise<Fields[]> => (await seed(...users)).body['users'];
  const logIn = async (email: string, password: string) =>
    provider.post('/passwords/authenticate', { email, password, session_duration_minutes: 60 });
  const counts = async () => {
    const { db } = provider.services;
    const count = async (table: 'users' | 'emails' | 'sessions' | 'outbox' | 'audit_log') =>
      Number(
        (
          await db
            .selectFrom(table)
            .select((select) => select.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      );
    return [
      await count('users'),
      await count('emails'),
      await count('sessions'),
      await count('outbox'),
      await count('audit_log'),
    ];
  };

  it('makes people who log in by their password, authenticator app and social account', async () => {
    await provider.control('POST', '/settings', {
      settings: { rbac_policy: { roles: [{ role_id: 'editor', description: '', permissions: [] }] } },
    });
    const [ada, bob] = await seeded(
      {
        email: 'Ada@example.com',
        password: 'correct horse battery',
        name: { first_name: 'Ada' },
        roles: ['editor'],
        trusted_metadata: { plan: 'pro' },
        totp: true,
        social: [{ provider: 'google' }],
      },
      { phone_number: '+14155552671', session_duration_minutes: 30 },
    );
    expect(bob).toMatchObject({ email: null, phone_number: '+14155552671', totp: null });
    const asBob = await provider.call('GET', '/users/me', undefined, { session: bob!['session'].session_token });
    expect(asBob.data).toMatchObject({ user_id: bob!['user_id'], phone_numbers: [{ verified: true }] });

    const { data } = await logIn('ada@example.com', 'correct horse battery');
    expect(data['user']).toMatchObject({
      status: 'active',
      name: { first_name: 'Ada' },
      trusted_metadata: { plan: 'pro' },
      emails: [{ email: 'Ada@example.com', verified: true }],
      providers: [{ provider_type: 'google' }],
      totps: [{ verified: true }],
    });
    expect(data['session'].roles).toContain('editor');
    const totp = new TOTP({ secret: Secret.fromBase32(ada!['totp'].secret), digits: 6, period: 30 });
    const totp_code = totp.generate({ timestamp: provider.clock.time });
    const second = await provider.post(
      '/totps/authenticate',
      { totp_code, session_duration_minutes: 60 },
      { session: data['session_token'] },
    );
    expect(second.status).toBe(200);
  });

  it('locks people, and makes all of them or none', async () => {
    await seed({ email: 'locked@example.com', password: 'correct horse battery', locked: true });
    expect((await logIn('locked@example.com', 'correct horse battery')).body['error_type']).toBe('user_locked');
    const before = await counts();
    const refused = await seed({ email: 'new@example.com' }, { email: 'before@example.com' });
    expect(refused).toMatchObject({
      status: 400,
      body: { error_type: 'duplicate_email', error_details: { 'users[1].email': 'belongs to a user already' } },
    });
    expect(await counts()).toEqual(before);
  });

  it('gives people with a session what the project requires, and others on request', async () => {
    const terms = [{ terms_id: 'tos', version: '1', title: 'Terms', url: 'https://acme.example/terms' }];
    const fields = [
      { field: 'first_name' },
      { field: 'company', label: 'Company' },
      { field: 'role', label: 'Role', options: [{ value: 'dev', label: { en: 'Developer' } }, 'Designer'] },
      { field: 'referrer', label: 'Referrer', required: false },
    ];
    const url = 'http://localhost:3000/login';
    await provider.control('POST', '/settings', { settings: { profile: { fields, terms, url } } });
    const password = 'correct horse battery';
    const untrusted_metadata = { company: 'Engines', note: 'kept' };
    const [ada, bob] = await seeded(
      { email: 'ada@example.com', untrusted_metadata, session_duration_minutes: 30 },
      { email: 'bob@example.com', password },
    );
    const me = await provider.call('GET', '/users/me', undefined, { session: ada!['session'].session_token });
    expect(me.data).toMatchObject({
      name: { first_name: 'Test' },
      untrusted_metadata: { ...untrusted_metadata, role: 'dev' },
    });
    expect((await logIn('bob@example.com', password)).body['error_type']).toBe('profile_required');
    const complete = async (id: string) => provider.control('POST', `/users/${id}/profile`, {});
    expect((await complete(bob!['user_id'])).status).toBe(200);
    expect((await logIn('bob@example.com', password)).status).toBe(200);
    expect((await complete('user-test-00000000-0000-4000-8000-000000000000')).body['error_type']).toBe(
      'user_not_found',
    );
  });

  const REFUSED: readonly (readonly [readonly object[], string])[] = [
    [[], 'users'],
    [[{}], 'users[0].email'],
    [[{ email: 'no address' }], 'users[0].email'],
    [[{ email: 'a@example.com' }, { email: 'A@example.com' }], 'users[1].email'],
    [[{ phone_number: '12' }], 'users[0].phone_number'],
    [[{ phone_number: '+14155552671', password: 'long enough' }], 'users[0].password'],
    [[{ email: 'a@example.com', roles: ['nobody'] }], 'users[0].roles'],
    [[{ email: 'a@example.com', social: [{ provider: 'myspace' }] }], 'users[0].social[0].provider'],
    [[{ email: 'a@example.com', session_duration_minutes: 1 }], 'users[0].session_duration_minutes'],
    [[{ email: 'a@example.com', locked: true, session_duration_minutes: 5 }], 'users[0].session_duration_minutes'],
    [[{ email: 'a@example.com', is_admin: true }], 'users[0].is_admin'],
  ];
  it.each(oneOf(5, REFUSED))('refuses the people %j by the name of the field', async (users, field) => {
    const before = await counts();
    const refused = await seed(...users);
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'bad_request' } });
    expect(Object.keys(refused.body['error_details'])).toEqual([field]);
    expect(await counts()).toEqual(before);
  });

  soakIt('puts all data back as it was, triggers and numbers included, however often', async () => {
    const before = await counts();
    const inbox = await provider.inbox();
    for (const _time of [1, 2]) {
      const { session_token: session } = await provider.signIn('after@example.com');
      expect(await counts()).not.toEqual(before);
      await provider.control('POST', '/snapshots/start/restore');
      expect(await counts()).toEqual(before);
      expect(await provider.inbox()).toEqual(inbox);
      expect((await provider.post('/sessions/authenticate', {}, { session })).status).toBe(401);
    }
    await expect(provider.services.db.deleteFrom('audit_log').execute()).rejects.toThrow('append-only');
    const { seq } = await provider.services.db
      .selectFrom('audit_log')
      .select((select) => select.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    await provider.signIn('before@example.com');
    const next = await provider.services.db
      .selectFrom('audit_log')
      .select((select) => select.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    expect(next.seq).toBe(seq + 1);
  });

  it('refuses a snapshot of tables that have changed since, and changes nothing', async () => {
    const { db } = provider.services;
    const before = await counts();
    // As many columns as before, so that its rows could be read.
    const change = async (from: string, to: string) =>
      sql`alter table emails rename column ${sql.id(from)} to ${sql.id(to)}`.execute(db);
    await change('email_key', 'another_key');
    const refused = await provider.control('POST', '/snapshots/start/restore');
    await change('another_key', 'email_key');
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'bad_request' } });
    expect(refused.body['error_message']).toContain('have changed');
    expect(await counts()).toEqual(before);
  });

  soakIt('restores while people log in', async () => {
    const logins = Promise.all(['a', 'b', 'c', 'd'].map(async (name) => provider.signIn(`${name}@example.com`)));
    const restored = await Promise.all([1, 2, 3].map(() => provider.control('POST', '/snapshots/start/restore')));
    expect(restored.map(({ status }) => status)).toEqual([200, 200, 200]);
    await logins;
    await provider.control('POST', '/snapshots/start/restore');
    expect((await counts())[0]).toBe(1);
  });

  soakIt('keeps a bounded number of snapshots, under plain names', async () => {
    for (const name of ['', '..', '../x', 'a'.repeat(65)]) {
      expect((await provider.control('POST', '/snapshots', { name })).body['error_details']).toHaveProperty('name');
    }
    expect((await provider.control('POST', '/snapshots/unknown/restore')).status).toBe(400);
    for (let place = 1; place < 20; place += 1) await provider.control('POST', '/snapshots', { name: `s${place}` });
    expect((await provider.control('POST', '/snapshots', { name: 'one-more' })).body['error_message']).toContain('20');
    expect((await provider.control('POST', '/snapshots', { name: 's1' })).status).toBe(200);
    for (let place = 1; place < 20; place += 1) await provider.control('DELETE', `/snapshots/s${place}`);
    expect((await provider.control('GET', '')).body['snapshots']).toMatchObject([
      { name: 'start', rows: expect.any(Number) },
    ]);
  });

  it('ends the codes and links of one address, or all', async () => {
    const codes = { one: await provider.sendCode('one@example.com'), two: await provider.sendCode('two@example.com') };
    const token = await provider.sendLink('two@example.com');
    const enter = async ({ code, method_id }: { code: string; method_id: string }) =>
      (await provider.post('/otps/authenticate', { token: code, method_id, session_duration_minutes: 5 })).body;
    expect((await provider.control('POST', '/codes/expire', { to: 'One@example.com' })).body['expired']).toBe(1);
    expect(await enter(codes.one)).toMatchObject({
      error_type: 'otp_code_not_found',
      error_details: { reason: 'expired' },
    });
    expect((await provider.control('POST', '/codes/expire', {})).body['expired']).toBe(2);
    expect(await enter(codes.two)).toMatchObject({ error_details: { reason: 'expired' } });
    const link = await provider.post('/magic_links/authenticate', { token, session_duration_minutes: 5 });
    expect(link.body['error_type']).toBe('unable_to_auth_magic_link');
  });

  it('switches settings of the project at once, all of them or none, and back', async () => {
    const bootstrap = async () =>
      (await provider.call('GET', `/projects/bootstrap/${provider.services.project.public_token}`)).data;
    const settings = async (given: object) => provider.control('POST', '/settings', { settings: given });
    await settings({ disable_sdk_watermark: true, password_strength_policy: 'luds' });
    expect(await bootstrap()).toMatchObject({ disable_sdk_watermark: true });
    await settings({ disable_sdk_watermark: null });
    expect(await bootstrap()).toMatchObject({ disable_sdk_watermark: false });
    const refused = await settings({ disable_sdk_watermark: true, luds_complexity: 9 });
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'bad_request' } });
    expect(refused.body['error_details']).toEqual({ 'settings.luds_complexity': 'must be a whole number from 0 to 4' });
    for (const field of ['no_such_setting', 'issuer', 'webhooks']) {
      expect(Object.keys((await settings({ [field]: 'x' })).body['error_details'])).toEqual([`settings.${field}`]);
    }
    const state = await provider.control('GET', '');
    expect(state.body['settings']).toEqual({ password_strength_policy: 'luds' });
    expect(await bootstrap()).toMatchObject({ disable_sdk_watermark: false });
    await provider.control('DELETE', '');
    expect((await provider.control('GET', '')).body['settings']).toEqual({});
  });

  it('demands a captcha and takes its test tokens', async () => {
    const send = async (fields: object) =>
      (await provider.post('/otps/email/login_or_create', { email: 'robot@example.com', ...fields }).catch(() => null))
        ?.status;
    await provider.control('POST', '/captcha', { required: true });
    expect((await provider.control('GET', '')).body['captcha']).toEqual({ required: true });
    expect(await send({ captcha_token: 'test-captcha-1' })).toBe(200);
    expect(await send({ captcha_token: 'wrong' })).not.toBe(200);
    await provider.control('POST', '/captcha', { required: false });
    expect(await send({})).toBe(200);
  });
});
