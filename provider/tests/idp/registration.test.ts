import * as client from 'openid-client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { ANY_DATABASE, EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { askedIn, challenge, ISSUER, makeApps, SETTINGS, verifier, visited, type Apps } from '../kit/idp-harness.ts';
import { registrar } from '../kit/registrar.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;
const AGENT = { client_name: 'An agent', redirect_uris: ['http://127.0.0.1/callback'] };
const AGENTS = { registration: 'open', scopes: ['openid', 'email', 'offline_access'] };

describe.each(EITHER_DATABASE)('an agent that registers itself (RFC 7591), on %s', (_, url) => {
  let apps: Apps;
  const { register, at } = registrar(() => apps.provider);
  beforeAll(async () => {
    apps = await makeApps(url, { agents: AGENTS });
  });
  afterAll(() => apps.provider.close());

  it('signs its users in, as a client that nobody here wrote does', async () => {
    const customFetch: client.CustomFetch = async (address, { body, method, headers }) =>
      apps.provider.app.request(address, { method, headers, ...(body ? { body: body as string } : {}) });
    const options = { execute: [client.allowInsecureRequests], [client.customFetch]: customFetch };
    const party = await client.dynamicClientRegistration(new URL(ISSUER), AGENT, undefined, options);
    const { client_id } = party.clientMetadata();
    expect(client_id).toMatch(/^agent-/u);
    const redirect_uri = 'http://127.0.0.1:49152/callback';
    const target = client.buildAuthorizationUrl(party, {
      redirect_uri,
      scope: 'openid email offline_access',
      state: 'here',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const { location } = await visited(apps.provider, target);
    const asked = askedIn(location ?? target);
    const { data: shown } = await apps.start(asked);
    expect(shown['client']).toMatchObject({
      client_origin: 'registration',
      client_is_new: true,
      client_logo_url: null,
    });
    expect(shown['client']).not.toHaveProperty('client_host');
    const { data } = await apps.submit(asked);
    const checks = { pkceCodeVerifier: verifier, expectedState: 'here' };
    const tokens = await client.authorizationCodeGrant(party, new URL(data['redirect_uri']), checks);
    expect(decodeJwt(tokens.access_token)['client_id']).toBe(client_id);
    const again = await client.refreshTokenGrant(party, tokens.refresh_token ?? '');
    expect(again.access_token).not.toBe(tokens.access_token);
  });

  it('is told all that was registered for it, and its secrets once', async () => {
    const { status, body, headers } = await register({ ...AGENT, unknown_field: 1, grant_types: ['authorization_code', 'implicit'] }); // prettier-ignore
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^agent-/u),
      client_id_issued_at: apps.provider.clock.time / 1000,
      client_secret: expect.stringMatching(/^[\w-]{43}$/u),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/u),
      registration_client_uri: `${ISSUER}/oauth2/register/${body['client_id']}`,
      ...AGENT,
      application_type: 'native',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    });
    const kept = JSON.stringify(await apps.provider.services.db.selectFrom('agents').selectAll().execute());
    for (const secret of ['client_secret', 'registration_access_token']) expect(kept).not.toContain(body[secret]);
    const { body: open } = await register({ ...AGENT, token_endpoint_auth_method: 'none' });
    expect(open).not.toHaveProperty('client_secret');
    expect(open).not.toHaveProperty('client_secret_expires_at');
  });

  it.each<[string, Fields, string]>([
    ['no redirect URI', { redirect_uris: undefined }, 'invalid_redirect_uri'],
    ['an empty list', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['plain http elsewhere', { redirect_uris: ['http://agent.example/'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://agent.example/#a'] }, 'invalid_redirect_uri'],
    ['a scheme without a dot', { redirect_uris: ['myapp://host/callback'] }, 'invalid_redirect_uri'],
    ['another type', { application_type: 'desktop' }, 'invalid_client_metadata'],
    ['a name that is a number', { client_name: 1 }, 'invalid_client_metadata'],
    ['a logo that is a script', { logo_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
    ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
    ['no code', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['a token in the address', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['a scope with a line break', { scope: 'openid a\nb' }, 'invalid_client_metadata'],
    ['text without Unicode', { client_name: 'a\u0000' }, 'invalid_client_metadata'],
    ['twenty kilobytes', { contacts: Array.from({ length: 20 }, () => 'x'.repeat(1000)) }, 'invalid_client_metadata'],
  ])('is refused with the error of RFC 7591 for %s', async (_name, fields, error) => {
    const refused = await register({ ...AGENT, ...fields });
    expect(refused).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
  });

  it('is registered as its form means it: with blanks around texts, and empty ones for what was left out', async () => {
    const links = Object.fromEntries(
      ['logo_uri', 'client_uri', 'tos_uri', 'policy_uri', 'jwks_uri'].map((name) => [name, '']),
    );
    const left = {
      ...links,
      contacts: [''],
      software_id: ' ',
      software_version: null,
      scope: '',
      application_type: '',
    };
    const { status, body } = await register({
      ...left,
      client_name: ' An agent\u00A0',
      redirect_uris: ['\uFEFFhttp://127.0.0.1/callback ', ''],
      token_endpoint_auth_method: 'none ',
      grant_types: ['authorization_code', ''],
      post_logout_redirect_uris: '',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...AGENT, token_endpoint_auth_method: 'none', application_type: 'native' });
    for (const name of [...Object.keys(links), 'software_id', 'scope']) expect(body).not.toHaveProperty(name);
    expect(await register({ ...AGENT, redirect_uris: ['', ' '] })).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } }); // prettier-ignore
  });

  it('calls itself a web app on this machine, too, because no token is ever in an address', async () => {
    const { status, body } = await register({ ...AGENT, application_type: 'web' });
    expect([status, body['application_type']]).toEqual([201, 'web']);
  });

  it.each(['com.example.app:/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'])(
    'is a native app with %s, also if it calls itself a web app',
    async (uri) => {
      const redirect_uris = ['https://agent.example/callback', 'http://localhost:8787/callback', uri];
      const { status, body } = await register({ ...AGENT, redirect_uris, application_type: 'web' });
      expect([status, body['application_type'], body['redirect_uris']]).toEqual([201, 'native', redirect_uris]);
    },
  );

  it('reads, changes and removes its registration (RFC 7592)', async () => {
    const { body: made } = await register(AGENT);
    const own = at(made);
    expect((await own('GET')).body).toMatchObject({ client_id: made['client_id'], client_name: 'An agent' });
    expect((await own('GET')).body).not.toHaveProperty('client_secret');
    const changed = { ...AGENT, client_id: made['client_id'], client_name: 'Another name' };
    expect(await own('PUT', changed)).toMatchObject({ status: 200, body: { client_name: 'Another name' } });
    expect((await own('PUT', { ...changed, client_id: 'planner' })).body['error']).toBe('invalid_request');
    expect((await own('PUT', { ...changed, client_secret: 'mine' })).body['error']).toBe('invalid_request');
    expect((await own('PUT', { ...changed, redirect_uris: [] })).body['error']).toBe('invalid_redirect_uri');
    expect((await own('GET')).body['client_name']).toBe('Another name');
    expect((await own('DELETE')).status).toBe(204);
    expect(await own('GET')).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect((await apps.visit('/authorize', { client_id: made['client_id'] })).status).toBe(400);
  });

  soakIt('is removed after its time, unless a user gave it access', async () => {
    const [used, unused] = [(await register(AGENT)).body, (await register(AGENT)).body];
    const request = {
      client_id: used['client_id'],
      redirect_uri: 'http://127.0.0.1:1/callback',
      response_type: 'code',
      code_challenge: challenge,
    };
    const { location } = await apps.visit('/authorize', { ...request, scope: 'openid' });
    await apps.submit(askedIn(location ?? new URL('about:blank')));
    apps.provider.clock.time += 31 * DAY;
    await sweep(apps.provider.services);
    expect([(await at(used)('GET')).status, (await at(unused)('GET')).status]).toEqual([200, 401]);
    await apps.signInAgain();
  });
});

describe('the registration of a project', () => {
  it('is off by default, and not advertised', async () => {
    const apps = await makeApps(ANY_DATABASE);
    const { register } = registrar(() => apps.provider);
    expect((await register(AGENT)).status).toBe(404);
    const { body } = await apps.get('/.well-known/oauth-authorization-server');
    expect(body).not.toHaveProperty('registration_endpoint');
    await apps.provider.close();
  });

  it('wants one of the operator’s tokens where the project file has their hashes', async () => {
    const agents = { registration: 'token', registration_token_hashes: [tokenHash('first'), tokenHash('second')] };
    const apps = await makeApps(ANY_DATABASE, { agents });
    const { register } = registrar(() => apps.provider);
    for (const token of [undefined, 'third', tokenHash('first')]) {
      const refused = await register(AGENT, token);
      expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(refused.headers.get('www-authenticate')).toContain('Bearer');
    }
    for (const token of ['first', 'second']) expect((await register(AGENT, token)).status).toBe(201);
    await apps.provider.close();
  });

  it.each([
    [{ registration: 'token' }, 'agents.registration_token_hashes must be given'],
    [{ registration: 'open', registration_token_hashes: [tokenHash('x')] }, 'agents.registration_token_hashes'],
    [{ scopes: ['full_access'] }, 'agents.scopes[0] must be other than full_access'],
    [{ scopes: ['unknown'] }, 'agents.scopes[0] must be a scope of the project'],
    [{ unused_days: 0 }, 'agents.unused_days'],
  ])('is checked in the project file: %j', (agents, message) => {
    expect(() => projectFrom({ ...SETTINGS, agents })).toThrow(message);
  });
});
