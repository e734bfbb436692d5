import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';

const DAY = 24 * 60 * MINUTE;
const PASSWORD = 'a rather long and winding road 47';
const project = projectFrom(SETTINGS);

describe.each(EITHER_DATABASE)('the users of the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database, { project });
  });
  afterAll(() => backend.close());
  let count = 0;
  const address = () => `user-${(count += 1)}@example.com`;
  const number = () => `+1415555${2670 + (count += 1)}`;
  const users = () => backend.client.users;
  const create = async (fields: Fields = {}) => users().create({ email: address(), ...fields });

  it('are created with everything that the server knows, and read by id and by external id', async () => {
    const email = address();
    const made = await users().create({
      email,
      phone_number: number(),
      name: { first_name: 'Ada', last_name: 'Byron' },
      attributes: { ip_address: '203.0.113.7', user_agent: 'Test' },
      trusted_metadata: { plan: 'gold', gone: null },
      untrusted_metadata: { theme: 'dark' },
      external_id: 'crm|17.a-b_c',
      roles: ['editor', 'editor'],
    });
    expect(made).toMatchObject({
      status_code: 200,
      status: 'active',
      request_id: expect.stringMatching(/^request-id-/u),
    });
    expect(made.user).toMatchObject({
      user_id: made.user_id,
      status: 'active',
      name: { first_name: 'Ada', middle_name: '', last_name: 'Byron' },
      emails: [{ email_id: made.email_id, email, verified: false }],
      phone_numbers: [{ phone_id: made.phone_id, verified: false }],
      trusted_metadata: { plan: 'gold' },
      untrusted_metadata: { theme: 'dark' },
      external_id: 'crm|17.a-b_c',
      roles: ['editor'],
      is_locked: false,
      password: null,
    });
    expect(made.user.trusted_metadata).not.toHaveProperty('gone');
    for (const user_id of [made.user_id, 'crm|17.a-b_c']) {
      const { status_code, request_id: _request, ...user } = await users().get({ user_id });
      expect(status_code).toBe(200);
      expect(user).toEqual(made.user);
    }
    expect(await users().create({ create_user_as_pending: true })).toMatchObject({ status: 'pending', email_id: '' });
  });

  it('keep what the server gave them when they log in first, and are found by the client', async () => {
    const { provider } = backend;
    const made = await create({ name: { first_name: 'Bea' }, roles: ['editor'], trusted_metadata: { a: 1 } });
    const [email] = made.user.emails;
    const login = await provider.signIn(email?.email ?? '');
    expect(login['user']).toMatchObject({
      user_id: made.user_id,
      name: { first_name: 'Bea' },
      roles: ['editor'],
      trusted_metadata: { a: 1 },
      emails: [{ verified: true }],
    });
    expect(login['session'].roles).toEqual(['editor']);
    expect(login['user']).not.toHaveProperty('external_id');
    expect(login['user']).not.toHaveProperty('managed');
  });

  it('that are pending cannot be taken over by a sign-up with their address, and are not swept', async () => {
    const { provider } = backend;
    const email = address();
    const made = await create({ email, create_user_as_pending: true, roles: ['editor'] });
    const stranger = { email, password: PASSWORD, session_duration_minutes: 60 };
    expect((await provider.post('/passwords', stranger)).body).toMatchObject({ error_type: 'reset_password' });
    expect((await provider.post('/users/search', { email })).data).toMatchObject({ userType: 'passwordless' });
    expect(await refusalOf(create({ email }))).toMatchObject({ status_code: 400, error_type: 'duplicate_email' });
    provider.clock.time += 30 * DAY;
    await sweep({ ...provider.services });
    provider.clock.time -= 30 * DAY;
    expect(await users().get({ user_id: made.user_id })).toMatchObject({ status: 'pending', roles: ['editor'] });
    expect((await provider.signIn(email))['user']).toMatchObject({ user_id: made.user_id, status: 'active' });
  });

  it('are not a stranger’s for what the server gives them before they verified their address', async () => {
    const { provider } = backend;
    const email = address();
    // A stranger signs up with an address that is not theirs, and writes a name.
    const signUp = { email, password: PASSWORD, session_duration_minutes: 60, name: { first_name: 'Mallory' } };
    const { user_id } = (await provider.post('/passwords', signUp)).data as { user_id: string };
    await users().update({ user_id, roles: ['editor'], trusted_metadata: { paid: true } });
    await users().update({ user_id, untrusted_metadata: { theme: 'dark' } });
    const { user } = (await provider.signIn(email)) as { user: Fields };
    expect(user).toMatchObject({
      user_id,
      name: { first_name: '' },
      roles: ['editor'],
      trusted_metadata: { paid: true },
    });
    expect(user['password'].requires_reset).toBe(true);

    const pending = address();
    await provider.sendCode(pending);
    const [found] = (
      await users().search({
        query: { operator: 'AND', operands: [{ filter_name: 'email_address', filter_value: [pending] }] },
      })
    ).results;
    await users().update({ user_id: found?.user_id ?? '', trusted_metadata: { paid: true } });
    const stranger = { email: pending, password: PASSWORD, session_duration_minutes: 60 };
    expect((await provider.post('/passwords', stranger)).body).toMatchObject({ error_type: 'reset_password' });
  });

  it('replace an unfinished sign-up, and no other user', async () => {
    const unfinished = address();
    await backend.provider.sendCode(unfinished);
    expect(await create({ email: unfinished.toUpperCase() })).toMatchObject({ status: 'active' });
    const known = address();
    await backend.provider.signIn(known);
    expect(await refusalOf(create({ email: known }))).toMatchObject({ error_type: 'duplicate_email' });
    const phone_number = number();
    await create({ phone_number });
    expect(await refusalOf(create({ phone_number }))).toMatchObject({ error_type: 'duplicate_phone_number' });
  });

  it.each<[string, Fields, string]>([
    ['an address that is none', { email: 'nobody' }, 'invalid_email'],
    ['a number that is none', { phone_number: '555' }, 'invalid_phone_number'],
    ['a role that the policy does not have', { roles: ['admin'] }, 'invalid_role'],
    ['an external id with a slash', { external_id: 'a/b' }, 'invalid_external_id'],
    ['an empty external id', { external_id: '' }, 'invalid_external_id'],
    ['an external id that is too long', { external_id: 'a'.repeat(129) }, 'invalid_external_id'],
    ['an external id like a user id', { external_id: 'user-test-1' }, 'invalid_external_id'],
    ['metadata that is too large', { trusted_metadata: { a: 'x'.repeat(5000) } }, 'invalid_metadata'],
    ['a prototype', { untrusted_metadata: JSON.parse('{"__proto__":{}}') as Fields }, 'invalid_metadata'],
    ['a name of another type', { name: { first_name: 1 } }, 'bad_request'],
    ['roles that are no list', { roles: 'editor' }, 'bad_request'],
    ['an IP address that is none', { attributes: { ip_address: 'here' } }, 'bad_request'],
  ])('are not created with %s', async (_what, fields, type) => {
    const before = (await users().search({})).results_metadata.total;
    const refused = await refusalOf(create(fields));
    expect(refused).toMatchObject({ status_code: 400, error_type: type });
    if (type === 'bad_request') expect(Object.keys(refused['error_details'] as Fields)).toHaveLength(1);
    if (type === 'invalid_metadata') expect(refused['error_details']).toEqual({ field: Object.keys(fields)[0] });
    expect((await users().search({})).results_metadata.total).toBe(before);
  });

  it('have an external id each, whoever asks at once', async () => {
    const given = await Promise.allSettled(Array.from({ length: 5 }, () => create({ external_id: 'only-one' })));
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { user_id } = await create({ external_id: 'another' });
    const update = users().update({ user_id, external_id: 'only-one' });
    expect(await refusalOf(update)).toMatchObject({ status_code: 400, error_type: 'duplicate_external_id' });
    expect(await users().update({ user_id, external_id: 'another' })).toMatchObject({
      user: { external_id: 'another' },
    });
    expect(await users().deleteExternalId({ user_id: 'another' })).toMatchObject({
      user_id,
      user: { external_id: null },
    });
    expect(await refusalOf(users().deleteExternalId({ user_id }))).toMatchObject({
      error_type: 'external_id_not_found',
    });
    expect(await refusalOf(users().get({ user_id: 'another' }))).toMatchObject({ error_type: 'user_not_found' });
    expect(await create({ external_id: 'another' })).toMatchObject({ status_code: 200 });
  });

  it('are changed field by field', async () => {
    const { user_id } = await create({
      name: { first_name: 'Cleo' },
      trusted_metadata: { a: 1, b: 2 },
      roles: ['editor'],
    });
    const changed = await users().update({
      user_id,
      name: { last_name: 'Lind' },
      trusted_metadata: { b: null, c: 3 },
      untrusted_metadata: { d: 4 },
      external_id: `of-${user_id.slice(-12)}`,
    });
    expect(changed.user).toMatchObject({
      name: { first_name: 'Cleo', last_name: 'Lind' },
      untrusted_metadata: { d: 4 },
      roles: ['editor'],
    });
    expect(changed.user.trusted_metadata).toEqual({ a: 1, c: 3 });
    expect(changed.emails).toEqual(changed.user.emails);
    expect((await users().update({ user_id, roles: [] })).user.roles).toEqual([]);
    expect(await refusalOf(users().update({ user_id, roles: ['owner'] }))).toMatchObject({
      error_type: 'invalid_role',
      error_details: { role: 'owner' },
    });
    expect(await refusalOf(users().update({ user_id: 'nobody', name: {} }))).toMatchObject({ status_code: 404 });
  });

  it('lose nothing when two servers change them at once', async () => {
    const { user_id } = await create();
    const keys = Array.from({ length: 8 }, (_value, index) => `key-${index}`);
    await Promise.all(keys.map((key) => users().update({ user_id, trusted_metadata: { [key]: true } })));
    const { trusted_metadata = {} } = await users().get({ user_id });
    expect(Object.keys(trusted_metadata).sort()).toEqual(keys);
  });

  it('get new roles in the sessions that they have', async () => {
    const login = await backend.provider.signIn(address());
    const session = login['session_token'] as string;
    await users().update({ user_id: login['user_id'] as string, roles: ['editor'] });
    const { data } = await backend.provider.post('/sessions/authenticate', {}, { session });
    expect(data['session'].roles).toEqual(['editor']);
    await users().update({ user_id: login['user_id'] as string, roles: [] });
    const after = await backend.provider.post('/sessions/authenticate', {}, { session });
    expect(after.data['session'].roles).toEqual([]);
  });

  it('are deleted with all that they had', async () => {
    const login = await backend.provider.signIn(address());
    const user_id = login['user_id'] as string;
    expect(await users().delete({ user_id })).toMatchObject({ user_id, status_code: 200 });
    for (const act of ['get', 'delete', 'update'] as const) {
      expect(await refusalOf(users()[act]({ user_id }))).toMatchObject({
        status_code: 404,
        error_type: 'user_not_found',
      });
    }
    const session = login['session_token'] as string;
    expect((await backend.provider.call('GET', '/users/me', undefined, { session })).status).toBe(401);
  });
});
