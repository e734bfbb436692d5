import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, type AppOptions } from '#provider/operation/app.ts';
import { DEV_SECRET, makeProjectSecret, revokeProjectSecret } from '#provider/api/backend/credentials.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { basic, EITHER_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const REFUSED = { status_code: 401, error_type: 'unauthorized_credentials' };
const GET = { user_id: 'nobody' };

describe.each(EITHER_DATABASE)('the credentials of the backend API, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database);
  });
  afterAll(() => backend.close());

  it('are the project id and a secret of it', async () => {
    expect(await refusalOf(backend.client.users.get(GET))).toMatchObject({
      status_code: 404,
      error_type: 'user_not_found',
    });
    const wrong = [
      { secret: 'secret-test-wrong' },
      { secret: DEV_SECRET.slice(0, -1) },
      { secret: `${DEV_SECRET} ` },
      { project_id: 'project-test-other' },
      { project_id: PUBLIC_TOKEN },
    ];
    for (const credentials of wrong) {
      expect(await refusalOf(backend.clientWith(credentials).users.get(GET))).toMatchObject(REFUSED);
    }
    for (const authorization of [
      '',
      'Basic',
      'Bearer x',
      `Basic ${DEV_SECRET}`,
      basic('', ''),
      basic(DEV_SECRET, ''),
    ]) {
      const { status, body } = await backend.raw('GET', '/v1/users/nobody', { headers: { authorization } });
      expect([authorization, status, body]).toMatchObject([authorization, 401, REFUSED]);
    }
  });

  it('are several at once, until one is revoked', async () => {
    const { services } = backend.provider;
    const [first, second] = [await makeProjectSecret(services, 'first'), await makeProjectSecret(services, 'second')];
    const call = ({ secret }: { secret: string }) => refusalOf(backend.clientWith({ secret }).users.get(GET));
    expect(await call(first)).toMatchObject({ status_code: 404 });
    expect(await call(second)).toMatchObject({ status_code: 404 });
    await revokeProjectSecret(services, first.secret_id);
    expect(await call(first)).toMatchObject(REFUSED);
    expect(await call(second)).toMatchObject({ status_code: 404 });
    await expect(revokeProjectSecret(services, first.secret_id)).rejects.toThrow('no such secret');
  });

  it('are ten at most, whoever asks for more at once', async () => {
    const { services } = backend.provider;
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => makeProjectSecret(services, 'many')));
    const rows = await services.db.selectFrom('project_secrets').select('name').execute();
    expect(rows).toHaveLength(10);
    expect(asked.some(({ status }) => status === 'rejected')).toBe(true);
    await services.db.deleteFrom('project_secrets').where('name', '=', 'many').execute();
  });

  it('does not keep a secret, only its hash', async () => {
    const { secret } = await makeProjectSecret(backend.provider.services, 'kept');
    const rows = await backend.provider.services.db.selectFrom('project_secrets').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  /** The status with this secret of a server with other options. */
  const statusAt = async (options: Partial<AppOptions>, secret: string, headers: Record<string, string> = {}) => {
    const { services } = backend.provider;
    const app = createApp({ ...services, ...options });
    const authorization = basic(services.project.project_id, secret);
    return (await app.request('/v1/users/nobody', { headers: { authorization, ...headers } })).status;
  };

  it('are not the public ones of --dev on the internet', async () => {
    const { secret } = await makeProjectSecret(backend.provider.services, 'real');
    expect(await statusAt({}, DEV_SECRET)).toBe(404);
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    for (const [options, headers] of [
      [{ dev: false }, {}],
      [{ loopback: false }, {}],
      [{}, forwarded],
    ] as const) {
      expect(await statusAt(options, DEV_SECRET, headers)).toBe(401);
      expect(await statusAt(options, secret, headers)).toBe(404);
    }
  });

  it.each(['GET', 'POST', 'OPTIONS', 'DELETE'])('are of no use to a page, wherever it is from: %s', async (method) => {
    for (const origin of ['http://localhost:3000', 'https://evil.example', 'null', backend.url.slice(0, -1)]) {
      for (const path of ['/v1/users/nobody', '/v1/users/search', '/v1/nowhere']) {
        const preflight = {
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        };
        const { status, headers, body } = await backend.raw(method, path, { headers: { origin, ...preflight } });
        expect(status).toBe(403);
        expect(body['error_type']).toBe('browser_not_allowed');
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
  });

  it('are not asked for where a page starts a social login, or calls the routes of the client', async () => {
    const start = await fetch(new URL('/v1/public/oauth/google/start', backend.url), { redirect: 'manual' });
    expect(await start.text()).not.toContain('browser_not_allowed');
    const origin = 'http://localhost:3000';
    const unknown = await backend.raw('GET', '/v1/public/nowhere', { headers: { origin } });
    expect(unknown.body).toMatchObject({ error_type: 'route_not_found' });
    expect(unknown.headers.get('access-control-allow-origin')).toBe(origin);
  });

  soakIt('are not needed for the key set, which is flat', async () => {
    const { project_id } = backend.provider.services.project;
    const found = await backend.client.sessions.getJWKS({ project_id });
    expect(found).toMatchObject({ status_code: 200, request_id: expect.stringMatching(/^request-id-/u) });
    expect(found.keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
    const anonymous = await backend.raw('GET', `/v1/sessions/jwks/${project_id}`, { headers: { authorization: '' } });
    expect(anonymous.status).toBe(200);
    expect(await refusalOf(backend.client.sessions.getJWKS({ project_id: 'other' }))).toMatchObject({
      status_code: 404,
    });
  });
});
