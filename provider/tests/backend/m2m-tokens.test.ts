import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { ANY_DATABASE, basic, EITHER_DATABASE, type Fields } from '../kit/harness.ts';

const TEMPLATE =
  '{ "https://app.example/tier": {{ client.trusted_metadata.tier }}, "name": "{{ client.client_name }}" }';
const NOT_PROVEN = { status_code: 401, error_type: 'invalid_client' };
const UNKNOWN = { status_code: 404, error_type: 'm2m_client_not_found' };

describe.each(EITHER_DATABASE)('M2M clients that ask for tokens, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database, { project: projectFrom({ m2m_access_token_template: TEMPLATE }) });
    // The SDK waits five seconds for the keys; they are made at the first call.
    await backend.client.sessions.getJWKS({ project_id: backend.provider.services.project.project_id });
  });
  afterAll(() => backend.close());

  const clients = () => backend.client.m2m.clients;
  const make = async (fields: Fields = {}) =>
    (await clients().create({ scopes: ['read:users', 'write:users'], ...fields })).m2m_client;
  const tokenOf = async ({ client_id, client_secret }: { client_id: string; client_secret: string }) =>
    backend.client.m2m.token({ client_id, client_secret });

  it('get a token of an hour for their scopes, or for fewer of them, which APIs check without this server', async () => {
    const client = await make({ client_name: 'Checker', trusted_metadata: { tier: 'gold' } });
    const { access_token, ...told } = await tokenOf(client);
    expect(told).toMatchObject({ token_type: 'bearer', expires_in: 3600, status_code: 200 });
    const { iat = 0, exp = 0, ...claims } = decodeJwt(access_token);
    const { project_id } = backend.provider.services.project;
    expect(claims).toMatchObject({ sub: client.client_id, iss: `stytch.com/${project_id}`, aud: [project_id] });
    expect(exp - iat).toBe(3600);
    expect(await backend.client.m2m.authenticateToken({ access_token, required_scopes: ['read:users'] })).toEqual({
      client_id: client.client_id,
      scopes: ['read:users', 'write:users'],
      custom_claims: { 'https://app.example/tier': 'gold', name: 'Checker' },
    });
    const { client_id, client_secret } = client;
    const narrow = await backend.client.m2m.token({ client_id, client_secret, scopes: ['read:users'] });
    const few = { access_token: narrow.access_token, required_scopes: ['write:users'] };
    await expect(backend.client.m2m.authenticateToken(few)).rejects.toThrow('missing_scopes');
    const more = backend.client.m2m.token({ client_id, client_secret, scopes: ['read:users', 'delete:users'] });
    expect(await refusalOf(more)).toMatchObject({ status_code: 400, error_type: 'invalid_scope' });
    const forged = `${access_token.slice(0, -8)}AAAAAAAA`;
    await expect(backend.client.m2m.authenticateToken({ access_token: forged })).rejects.toThrow('jwt_invalid');
  });

  it('get no token without their secret, once they are inactive, or once they are deleted', async () => {
    const client = await make();
    const { client_id, client_secret } = client;
    for (const wrong of ['', 'wrong', client_secret.slice(0, -1), `${client_secret}=`]) {
      expect(await refusalOf(tokenOf({ client_id, client_secret: wrong }))).toMatchObject(NOT_PROVEN);
    }
    expect(await refusalOf(tokenOf({ ...client, client_id: 'nobody' }))).toMatchObject(NOT_PROVEN);
    const other = await make();
    expect(await refusalOf(tokenOf({ client_id, client_secret: other.client_secret }))).toMatchObject(NOT_PROVEN);

    const { access_token } = await tokenOf(client);
    await clients().update({ client_id, status: 'inactive' });
    expect(await refusalOf(tokenOf(client))).toMatchObject({ status_code: 400, error_type: 'unauthorized_client' });
    expect(await refusalOf(tokenOf({ client_id, client_secret: 'wrong' }))).toMatchObject(NOT_PROVEN);
    // APIs check a token locally: it lives for the rest of its hour, unless they ask for a younger one.
    expect(await backend.client.m2m.authenticateToken({ access_token })).toMatchObject({ client_id });
    const young = { access_token, max_token_age_seconds: 0 };
    await expect(backend.client.m2m.authenticateToken(young)).rejects.toThrow('jwt_too_old');
    await clients().update({ client_id, status: 'active' });
    await tokenOf(client);
    expect(await clients().delete({ client_id })).toMatchObject({ client_id, status_code: 200 });
    expect(await refusalOf(tokenOf(client))).toMatchObject(NOT_PROVEN);
    expect(await refusalOf(clients().get({ client_id }))).toMatchObject(UNKNOWN);
    expect(await refusalOf(clients().delete({ client_id }))).toMatchObject(UNKNOWN);
    expect(await refusalOf(clients().update({ client_id, client_name: 'x' }))).toMatchObject(UNKNOWN);
  });

  it('get no token after their deletion, however many asked for one meanwhile', async () => {
    const client = await make();
    const { client_id } = client;
    const asking = Array.from({ length: 6 }, async () => tokenOf(client));
    await Promise.all([clients().delete({ client_id }), Promise.allSettled(asking)]);
    expect(await refusalOf(tokenOf(client))).toMatchObject(NOT_PROVEN);
    for (const end of await Promise.allSettled(asking)) {
      if (end.status === 'rejected') expect(end.reason).toMatchObject(NOT_PROVEN);
    }
    expect(backend.provider.traces).toEqual([]);
  });

  it('are asked for their secret in the body or the header, never in the address or from a page', async () => {
    const { client_id, client_secret } = await make();
    const { project_id } = backend.provider.services.project;
    const path = `/v1/public/${project_id}/oauth2/token`;
    const grant = { grant_type: 'client_credentials' };
    const ask = async (init: { body?: string; headers?: Record<string, string>; path?: string }) =>
      backend.raw('POST', init.path ?? path, { ...init, headers: { authorization: '', ...init.headers } });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const json = JSON.stringify({ ...grant, client_id, client_secret });
    const asForm = new URLSearchParams({ ...grant, client_id, client_secret }).toString();
    const header = { ...form, authorization: basic(client_id, client_secret) };
    for (const init of [
      { body: json },
      { body: asForm, headers: form },
      { body: 'grant_type=client_credentials', headers: header },
    ]) {
      const { status, headers, body } = await ask(init);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(body).toMatchObject({ access_token: expect.any(String), status_code: 200 });
    }
    const oauthError = (error: string) => ({
      error,
      error_type: error,
      error_description: expect.any(String),
      error_uri: expect.any(String),
    });
    const query = await ask({ path: `${path}?${asForm}`, body: 'grant_type=client_credentials', headers: form });
    expect(query).toMatchObject({ status: 400, body: oauthError('invalid_request') });
    expect(query.body['error_description']).not.toContain(client_secret);
    expect(backend.provider.logged.join('\n')).not.toContain(client_secret);
    const twice = await ask({ body: asForm, headers: header });
    expect(twice).toMatchObject({ status: 400, body: oauthError('invalid_request') });
    const wrong = await ask({ body: json.replace(client_secret, 'x') });
    expect(wrong).toMatchObject({ status: 401, body: oauthError('invalid_client') });
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic /u);

    for (const odd of ['%00', '\u0000', '%ED%A0%80', '%', '']) {
      const asOdd = { body: 'grant_type=client_credentials', headers: { ...form, authorization: basic(odd, 'x') } };
      expect([odd, (await ask(asOdd)).status]).toEqual([odd, 401]);
    }

    const page = await ask({ body: asForm, headers: { ...form, origin: 'http://localhost:3000' } });
    expect(page).toMatchObject({ status: 403, body: { error_type: 'browser_not_allowed', error: 'access_denied' } });
    expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const foreign = await ask({ path: '/v1/public/project-test-other/oauth2/token', body: json });
    expect(foreign).toMatchObject({ status: 404, body: { error_type: 'route_not_found' } });
    for (const body of ['[]', '{', '{"grant_type":1}', `{"grant_type":"client_credentials","client_id":"\\u0000"}`]) {
      expect(await ask({ body })).toMatchObject({ status: 400, body: oauthError('invalid_request') });
    }
    expect((await backend.raw('GET', path)).status).toBe(405);
  });

  it('get tokens that are no session, and no access token of an app', async () => {
    const { provider, client } = backend;
    const { access_token } = await tokenOf(await make({ scopes: ['openid', 'full_access'] }));
    expect((await provider.call('GET', '/users/me', undefined, { session: access_token })).status).toBe(401);
    const exchanged = { access_token, session_duration_minutes: 5 };
    expect((await provider.post('/sessions/exchange_access_token', exchanged)).status).toBe(401);
    const userinfo = await provider.app.request('/oauth2/userinfo', {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(userinfo.status).toBe(401);
    await expect(client.sessions.authenticateJwtLocal({ session_jwt: access_token })).rejects.toThrow();
  });
});

describe('a guesser of secrets', () => {
  it('is stopped by network where this machine is not exempt', async () => {
    const limits = { failuresPerNetwork: { max: 2, windowMs: 60_000 } };
    const strict = await startBackend(ANY_DATABASE, {
      dev: false,
      limits: { ...DEFAULT_LIMITS, ...limits },
    });
    const { project_id } = strict.provider.services.project;
    const guess = async () =>
      strict.raw('POST', `/v1/public/${project_id}/oauth2/token`, {
        body: JSON.stringify({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' }),
      });
    const statuses = [(await guess()).status, (await guess()).status, (await guess()).status];
    expect(statuses).toEqual([401, 401, 429]);
    await strict.close();
  });
});
