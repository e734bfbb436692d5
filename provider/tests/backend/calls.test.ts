import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { createApp } from '#provider/operation/app.ts';
import { DEV_SECRET, makeProjectSecret } from '#provider/api/backend/credentials.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;

describe.each(EITHER_DATABASE)('the calls of the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database);
  });
  afterAll(() => backend.close());
  const admin = async (name: string, fields: Fields = {}) =>
    (await administer(backend.provider.services, name, fields)).token;
  const trail = async (target: string) =>
    (await admin('backend-calls', { target })).split('\n').map((line) => line.split('\t'));

  it('leave a trail of who called what, on whom, and what came of it', async () => {
    const [secret_id = '', secret = ''] = (await admin('project-secret.create', { name: 'the shop' })).split('\n');
    const { users, sessions } = backend.clientWith({ secret });
    const { user_id } = await users.create({ email: 'traced@example.com' });
    await users.get({ user_id });
    const login = await backend.provider.signIn('traced@example.com');
    await sessions.authenticate({ session_token: login['session_token'] as string });
    await users.delete({ user_id });
    const { request_id } = await refusalOf(users.delete({ user_id }));
    const rows = (await trail(user_id)).map(([, by, call, on, status, type]) => [by, call, on, status, type]);
    expect(rows).toEqual([
      [secret_id, 'users.delete', user_id, '404', 'user_not_found'],
      [secret_id, 'users.delete', user_id, '200', '-'],
      [secret_id, 'sessions.authenticate', user_id, '200', '-'],
      [secret_id, 'users.get', user_id, '200', '-'],
      [secret_id, 'users.create', user_id, '200', '-'],
    ]);
    expect((await trail(user_id))[0]).toEqual(expect.arrayContaining([request_id, 'the shop']));
    expect((await admin('backend-calls', { limit: '1' })).split('\n')).toHaveLength(1);
  });

  soakIt('leave no secret, token, code or address in it', async () => {
    const { client, provider } = backend;
    const login = await provider.signIn('quiet@example.com');
    const { session_token, session_jwt } = login as { session_token: string; session_jwt: string };
    await client.sessions.authenticate({ session_token });
    await client.sessions.authenticate({ session_jwt });
    await client.sessions.revoke({ session_token });
    expect((await trail(login['session'].session_id as string))[0]).toContain('sessions.revoke');
    await refusalOf(client.users.create({ email: 'quiet@example.com' }));
    await refusalOf(client.sessions.attest({ profile_id: 'x', token: 'a-token-of-somebody' }));
    const rows = await provider.services.db.selectFrom('backend_calls').selectAll().execute();
    const text = JSON.stringify(rows);
    for (const secret of [session_token, session_jwt, DEV_SECRET, 'quiet@', 'a-token-of-somebody']) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('duplicate_email');
  });

  it('leave none for a made-up token, which anyone can make an app’s server send', async () => {
    const rows = async () => backend.provider.services.db.selectFrom('backend_calls').select('seq').execute();
    const before = await rows();
    const refused = await refusalOf(backend.client.sessions.authenticate({ session_token: 'made-up' }));
    expect(refused).toMatchObject({ status_code: 404, error_type: 'session_not_found' });
    expect(await rows()).toHaveLength(before.length);
  });

  it('are written down once when they only read, and not answered when that fails', async () => {
    const { user_id } = await backend.client.users.create({ email: 'read@example.com' });
    const { services } = backend.provider;
    const writes: string[] = [];
    const db = services.db.withPlugin({
      transformQuery({ node }) {
        if (!JSON.stringify(node).includes('"backend_calls"')) return node;
        writes.push(node.kind);
        if (failing) throw new Error('The trail cannot be written.');
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    let failing = false;
    const app = createApp({ ...services, db });
    const authorization = basic(services.project.project_id, DEV_SECRET);
    const get = async () => (await app.request(`/v1/users/${user_id}`, { headers: { authorization } })).status;
    expect([await get(), writes]).toEqual([200, ['InsertQueryNode']]);
    failing = true;
    expect(await get()).toBe(500);
  });

  soakIt('are forgotten: those that changed nothing after a week, the others after three months', async () => {
    const { provider, client } = backend;
    const { user_id } = await client.users.create({ email: 'old@example.com' });
    await client.users.get({ user_id });
    await client.sessions.get({ user_id });
    const left = async (days: number) => {
      provider.clock.time += days * DAY;
      await sweep(provider.services);
      return (await admin('backend-calls', { target: user_id })).split('\n').map((line) => line.split('\t')[2]);
    };
    expect(await left(6)).toEqual(['sessions.get', 'users.get', 'users.create']);
    expect(await left(2)).toEqual(['users.create']);
    expect(await left(81)).toEqual(['users.create']);
    expect(await left(2)).toEqual([undefined]);
  });

  it('are counted by secret and network, and so are wrong secrets', async () => {
    const { services } = backend.provider;
    const limits = {
      ...services.limits,
      backendCallsPerCaller: { max: 3, windowMs: MINUTE },
      failuresPerNetwork: { max: 2, windowMs: MINUTE },
    };
    // Not on a developer's own machine, which has no limits.
    const app = createApp({ ...services, dev: false, limits });
    const call = async (secret: string) => {
      const authorization = basic(services.project.project_id, secret);
      const reply = await app.request('/v1/users/nobody', { headers: { authorization } });
      return [reply.status, ((await reply.json()) as Fields)['error_type'], reply.headers.get('retry-after') !== null];
    };
    const [one, two] = [await makeProjectSecret(services, 'one'), await makeProjectSecret(services, 'two')];
    const found = [404, 'user_not_found', false];
    for (const { secret } of [one, one, one, two]) expect(await call(secret)).toEqual(found);
    expect(await call(one.secret)).toEqual([429, 'rate_limit_exceeded', true]);
    expect(await call(two.secret)).toEqual(found);
    for (let time = 0; time < 2; time += 1) {
      expect(await call('secret-test-guess')).toEqual([401, 'unauthorized_credentials', false]);
    }
    expect(await call('secret-test-guess')).toEqual([429, 'rate_limit_exceeded', true]);
    // Strangers behind the same proxy cannot lock the app's server out.
    expect(await call(two.secret)).toEqual(found);
    const before = await services.db.selectFrom('backend_calls').select('seq').execute();
    await call('secret-test-guess');
    await call(one.secret);
    expect(await services.db.selectFrom('backend_calls').select('seq').execute()).toHaveLength(before.length);
  });

  it('have a secret that the operator makes, lists and revokes', async () => {
    const [id = '', secret = ''] = (await admin('project-secret.create', { name: 'billing' })).split('\n');
    expect(secret).toMatch(/^secret-test-[\w-]{43}$/u);
    const line = async () => (await admin('project-secret.list')).split('\n').find((each) => each.startsWith(id)) ?? '';
    expect(await line()).toMatch(/\tlast used never\tbilling$/u);
    await refusalOf(backend.clientWith({ secret }).users.get({ user_id: 'nobody' }));
    expect(await line()).toContain(`last used ${new Date(backend.provider.clock.time).toISOString()}`);
    expect(await line()).not.toContain(secret);
    expect(await admin('project-secret.revoke', { id })).toBe(id);
    expect(await line()).toBe('');
    await expect(admin('project-secret.revoke', { id })).rejects.toThrow('no such secret');
    await expect(admin('project-secret.create', { name: '' })).rejects.toThrow('1 to 120');
    await expect(admin('project-secret.create', { name: 'a\nb' })).rejects.toThrow('1 to 120');
    await expect(admin('backend-calls', { limit: 'all' })).rejects.toThrow('limit must be');
    for (let more = 0; more < 10; more += 1)
      await admin('project-secret.create', { name: 'more' }).catch(() => undefined);
    await expect(admin('project-secret.create', { name: 'more' })).rejects.toThrow('at most ten');
    await backend.provider.services.db.deleteFrom('project_secrets').where('name', '=', 'more').execute();
  });
});
