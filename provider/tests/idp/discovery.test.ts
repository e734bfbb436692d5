import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ISSUER, makeApps, type Apps } from '../kit/idp-harness.ts';
import { ANY_DATABASE } from '../kit/harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DOCUMENTS = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
const PUBLIC = [...DOCUMENTS, '/oauth2/jwks.json', '/oauth2/userinfo', '/oauth2/token', '/oauth2/revoke'];
const ELSEWHERE = { origin: 'https://planner.example' };

describe('the discovery document', () => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(ANY_DATABASE);
  });
  afterAll(() => apps.provider.close());

  it.each(DOCUMENTS)('describes the server at %s (RFC 8414)', async (path) => {
    const { body, headers } = await apps.get(path);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth2/authorize`,
      end_session_endpoint: `${ISSUER}/oauth2/logout`,
      token_endpoint: `${ISSUER}/oauth2/token`,
      jwks_uri: `${ISSUER}/oauth2/jwks.json`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(body['scopes_supported']).toEqual(expect.arrayContaining(['openid', 'offline_access', 'write']));
  });

  it('names endpoints that all answer', async () => {
    const { body } = await apps.get(DOCUMENTS[0] ?? '');
    for (const name of ['token', 'userinfo', 'revocation', 'introspection']) {
      const { status } = await apps.provider.app.request(body[`${name}_endpoint`], { method: 'POST' });
      expect([400, 401]).toContain(status);
    }
    const { body: jwks } = await apps.get('/oauth2/jwks.json');
    expect(jwks['keys']).toMatchObject([{ kty: 'RSA', alg: 'RS256', use: 'sig' }]);
    for (const secret of ['d', 'p', 'q']) expect(jwks['keys'][0]).not.toHaveProperty(secret);
  });

  it('is readable for pages of any origin without credentials, as the endpoints are', async () => {
    for (const path of PUBLIC) {
      const { headers } = await apps.get(path, { headers: ELSEWHERE });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const asked = { ...ELSEWHERE, 'access-control-request-method': 'POST' };
      const preflight = await apps.get(path, { method: 'OPTIONS', headers: asked });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, DPoP, *');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('answers HEAD as GET, without a body (RFC 9110, section 9.1)', async () => {
    for (const path of [...DOCUMENTS, '/oauth2/jwks.json']) {
      const got = await apps.provider.app.request(path);
      const head = await apps.provider.app.request(path, { method: 'HEAD' });
      expect([head.status, head.headers.get('cache-control')]).toEqual([200, got.headers.get('cache-control')]);
      expect(await head.text()).toBe('');
    }
  });

  it('makes nothing else readable for other origins but the reason', async () => {
    for (const path of ['/sdk/v1/users/me', '/sdk/v1/idp/oauth/authorize/submit', '/.well-known/jwks.json']) {
      const { status, headers, body } = await apps.get(path, { headers: ELSEWHERE });
      expect([status, headers.get('access-control-allow-credentials')]).toEqual([403, null]);
      expect(body).toMatchObject({ status_code: 403, error_type: 'unregistered_origin' });
    }
  });

  it.each([
    ['GET', '/oauth2/token', 'POST'],
    ['PUT', '/oauth2/userinfo', 'GET, HEAD, POST'],
    ['POST', '/oauth2/jwks.json', 'GET, HEAD'],
    ['DELETE', '/.well-known/openid-configuration', 'GET, HEAD'],
  ])('has no %s at %s', async (method, path, allowed) => {
    const { status, headers } = await apps.get(path, { method });
    expect([status, headers.get('allow')]).toEqual([405, allowed]);
  });

  soakIt('names itself as it is reached where no issuer is set', async () => {
    const free = await makeApps(ANY_DATABASE, { issuer: null });
    const reply = await free.provider.app.request(`http://127.0.0.1:4777${DOCUMENTS[0]}`);
    expect(await reply.json()).toMatchObject({ issuer: 'http://127.0.0.1:4777' });
    const rebound = await free.provider.app.request(`http://evil.example${DOCUMENTS[0]}`);
    expect(rebound.status).toBe(421);
    await free.provider.close();
  });

  it('is missing without a consent page, and says how to set one and add an app', async () => {
    const none = await makeApps(ANY_DATABASE, { idp: {} });
    for (const path of DOCUMENTS) {
      const { status, body, headers } = await none.get(path, { headers: ELSEWHERE });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([404, '*']);
      expect(body['error_message']).toMatch(
        /set authorization_url in the section idp .* portico-provider clients create/u,
      );
    }
    await none.provider.close();
  });

  it('describes the server before there is any app', async () => {
    const none = await makeApps(ANY_DATABASE, { idp: { authorization_url: 'http://localhost:4200/consent' } });
    expect((await none.get(DOCUMENTS[0] ?? '')).body).toMatchObject({ issuer: ISSUER });
    await none.provider.close();
  });
});
