import * as client from 'openid-client';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { AGENT_CALLBACK, documentHost, type DocumentHost } from '../kit/document-host.ts';
import { ANY_DATABASE, EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import {
  as,
  askedIn,
  challenge,
  ISSUER,
  makeApps,
  PAGE,
  relyingParty,
  verifier,
  visited,
  type Apps,
} from '../kit/idp-harness.ts';

const DAY = 24 * 60 * MINUTE;
const FILES = 'https://files.example/mcp';
const AGENTS = { metadata_documents: true, scopes: ['openid', 'email', 'write', 'offline_access'] };

describe.each(EITHER_DATABASE)('an agent with a metadata document, on %s', (_, url) => {
  let apps: Apps;
  let host: DocumentHost;
  beforeAll(async () => {
    host = await documentHost();
    apps = await makeApps(url, { agents: AGENTS, resources: [{ resource: FILES }] });
  });
  afterAll(async () => {
    await apps.provider.close();
    await host.close();
  });

  const request = (client_id: string, fields: Fields = {}): Fields => ({
    client_id,
    redirect_uri: 'http://127.0.0.1:49152/callback',
    response_type: 'code',
    scope: 'openid email offline_access',
    code_challenge: challenge,
    ...fields,
  });
  const visit = (client_id: string, fields: Fields = {}) => apps.visit('/authorize', request(client_id, fields));
  const page = async (client_id: string, fields: Fields = {}) => {
    const { location } = await visit(client_id, fields);
    return askedIn(location ?? new URL('about:blank'));
  };
  /** `page`, the error for the agent, or the page that says why. */
  const outcome = async (client_id: string, fields: Fields = {}) => {
    const { status, location, text } = await visit(client_id, fields);
    if (location === null) return `${status} ${text}`;
    return location.href.startsWith(PAGE) ? 'page' : location.searchParams.get('error');
  };

  it('signs its users in for an API, as a client that nobody here wrote does', async () => {
    const id = host.publish('/oauth/client.json', { client_name: 'Helper' });
    const party = await relyingParty(apps.provider, id, client.None());
    expect(party.serverMetadata()['client_id_metadata_document_supported']).toBe(true);
    const redirect_uri = 'http://127.0.0.1:49152/callback';
    const state = client.randomState();
    const target = client.buildAuthorizationUrl(party, {
      redirect_uri,
      scope: 'openid write offline_access',
      resource: FILES,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const { location } = await visited(apps.provider, target);
    const asked = askedIn(location ?? target);
    expect((await apps.start(asked)).data).toMatchObject({
      consent_required: true,
      client: {
        client_id: id,
        client_name: 'Helper',
        client_type: 'third_party_public',
        client_verified: false,
        client_origin: 'document',
        client_host: new URL(host.origin).host,
        client_is_new: true,
      },
      resources: [{ resource: FILES, name: 'files.example' }],
    });
    const { data } = await apps.submit(asked);
    const answer = new URL(data['redirect_uri']);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await client.authorizationCodeGrant(party, answer, checks, { resource: FILES });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: FILES, client_id: id, scope: 'openid write offline_access' }); // prettier-ignore
    const again = await client.refreshTokenGrant(party, tokens.refresh_token ?? '', { resource: FILES });
    expect(decodeJwt(again.access_token).aud).toBe(FILES);
    const { data: known } = await apps.start(await page(id, { scope: 'openid write', resource: FILES }));
    expect(known['client']['client_is_new']).toBe(false);
  });

  it('is listed for its user, who ends it at once', async () => {
    const user = await apps.provider.signIn('lister@example.com');
    const id = host.publish('/listed.json', { client_name: 'Listed' });
    const { data } = await apps.submit(await page(id), user);
    const code = data['authorization_code'];
    const { body } = await apps.redeem({ code, client_id: id, redirect_uri: 'http://127.0.0.1:49152/callback' });
    const list = async () => (await apps.provider.call('GET', '/users/connected_apps', undefined, as(user))).data;
    expect((await list())['connected_apps']).toMatchObject([{ connected_app_id: id, name: 'Listed' }]);
    const ended = await apps.provider.post(`/users/connected_apps/${encodeURIComponent(id)}/revoke`, {}, as(user));
    expect(ended.status).toBe(200);
    expect((await list())['connected_apps']).toEqual([]);
    expect((await apps.userinfo(body['access_token'])).status).toBe(401);
    expect((await apps.refresh(body['refresh_token'], { client_id: id })).body['error']).toBe('invalid_grant');
  });

  it('is read once in the time that its host allows, within bounds', async () => {
    const id = host.publish('/often.json');
    const before = host.reads();
    for (let visits = 0; visits < 3; visits += 1) expect(await outcome(id)).toBe('page');
    expect(host.reads() - before).toBe(1);
    apps.provider.clock.time += 61 * MINUTE;
    await outcome(id);
    expect(host.reads() - before).toBe(2);
    // Without an answer the last reading counts for a day; a removed document counts at once.
    host.answer('/often.json', (_request, response) => void response.destroy());
    apps.provider.clock.time += 61 * MINUTE;
    expect(await outcome(id)).toBe('page');
    host.answer('/often.json', (_request, response) => void response.writeHead(410).end());
    expect(await outcome(id)).toContain('invalid_client_document');
    await apps.signInAgain();
  });

  it('asks its users again after its addresses changed', async () => {
    const web = 'https://agent.example/callback';
    host.publish('/web.json', { redirect_uris: [web] });
    const webId = `${host.origin}/web.json`;
    await apps.submit(await page(webId, { redirect_uri: web }));
    expect((await apps.start(await page(webId, { redirect_uri: web }))).data['consent_required']).toBe(false);
    const other = 'https://other.example/callback';
    host.publish('/web.json', { redirect_uris: [web, other] });
    apps.provider.clock.time += 61 * MINUTE;
    await apps.signInAgain();
    expect((await apps.start(await page(webId, { redirect_uri: web }))).data['consent_required']).toBe(true);
    await apps.submit(await page(webId, { redirect_uri: web }));
    expect((await apps.start(await page(webId, { redirect_uri: other }))).data['consent_required']).toBe(false);
  });

  it.each<[string, object, string]>([
    ['another client id', { client_id: 'https://other.example/client' }, 'client_id in the document'],
    ['no redirect URI', { redirect_uris: [] }, 'redirect_uris'],
    ['a script as a redirect URI', { redirect_uris: ['javascript:alert(1)//x.y:/'] }, 'redirect_uris[0]'],
    ['a redirect URI of plain http', { redirect_uris: ['http://agent.example/'] }, 'redirect_uris[0]'],
    ['a redirect URI in a scheme without a dot', { redirect_uris: ['myapp://host/callback'] }, 'redirect_uris[0]'],
    ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'token_endpoint_auth_method'],
    ['a secret in the open', { client_secret: 'x' }, 'client_secret'],
    ['keys elsewhere in plain text', { jwks_uri: 'http://agent.example/jwks' }, 'jwks_uri'],
    ['no keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'jwks'],
    ['private keys', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, 'jwks.keys[0]'], // prettier-ignore
    ['a name with a line break', { client_name: 'a\nb' }, 'client_name'],
    ['a name with a line separator', { client_name: 'a\u2028b' }, 'client_name'],
    ['a name that nobody can see', { client_name: '\u00a0\u3164' }, 'client_name'],
    ['no grant of codes', { grant_types: ['implicit'] }, 'grant_types'],
  ])('is refused, with the reason, for a document with %s', async (name, metadata, reason) => {
    const id = host.publish(`/wrong-${encodeURIComponent(name).replaceAll('%20', '-')}.json`, metadata);
    const seen = await outcome(id);
    expect(seen).toMatch(/^400 [^]*invalid_client_document/u);
    expect(seen).toContain(reason);
  });

  it('gets no answer at an address that its document does not list', async () => {
    const id = host.publish('/strict.json');
    for (const redirect_uri of ['https://evil.example/', 'http://127.0.0.1:1/other', 'http://localhost:1/callback']) {
      expect(await outcome(id, { redirect_uri })).toContain('invalid_redirect_uri');
    }
  });

  it('gets no scope that the project does not let agents have, and none that it did not name', async () => {
    const id = host.publish('/scoped.json', { scope: 'openid email' });
    for (const scope of ['full_access', 'write', 'offline_access']) {
      expect(await outcome(id, { scope })).toBe('invalid_scope');
      // It gets the others, as its token says (RFC 6749, sections 3.3 and 5.1).
      expect((await page(id, { scope: `openid ${scope} email` }))['scopes']).toEqual(['openid', 'email']);
    }
    expect(await outcome(id, { scope: 'openid email' })).toBe('page');
  });

  it('shows a logo of its own host alone', async () => {
    const logoOf = async (id: string) => (await apps.start(await page(id))).data['client']['client_logo_url'];
    const own = `${host.origin}/logo.png`;
    expect(await logoOf(host.publish('/own-logo.json', { logo_uri: own }))).toBe(own);
    const foreign = { logo_uri: 'https://bank.example/logo.png' };
    expect(await logoOf(host.publish('/foreign-logo.json', foreign))).toBeNull();
  });

  it('is removed when no user gave it access, and is read again when it comes back', async () => {
    const [used, unused] = [host.publish('/used.json'), host.publish('/unused.json')];
    await apps.submit(await page(used));
    await page(unused);
    const ids = async () => {
      const rows = await apps.provider.services.db.selectFrom('agents').select('client_id').execute();
      return rows.map(({ client_id }) => client_id).filter((id) => id === used || id === unused);
    };
    expect((await ids()).sort()).toEqual([unused, used].sort());
    apps.provider.clock.time += 31 * DAY;
    await sweep(apps.provider.services);
    expect(await ids()).toEqual([used]);
    await apps.signInAgain();
    expect(await outcome(unused)).toBe('page');
  });
});

describe('a project that takes no agents', () => {
  it('reads no document, and does not advertise that it would', async () => {
    const [apps, host] = [await makeApps(ANY_DATABASE), await documentHost()];
    const id = host.publish('/client.json');
    const fields = { client_id: id, redirect_uri: AGENT_CALLBACK, response_type: 'code', code_challenge: challenge };
    expect((await apps.visit('/authorize', fields)).text).toContain('connected_app_not_found');
    const { body } = await apps.get('/.well-known/oauth-authorization-server');
    expect([host.reads(), body['client_id_metadata_document_supported']]).toEqual([0, undefined]);
    expect(body['issuer']).toBe(ISSUER);
    await Promise.all([apps.provider.close(), host.close()]);
  });
});
