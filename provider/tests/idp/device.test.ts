import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { basic, EITHER_DATABASE, MINUTE, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';
import {
  as,
  ISSUER,
  makeApps,
  OFFLINE,
  PAGE,
  relyingParty,
  SECRET,
  SETTINGS,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const [planner, , , server] = SETTINGS.clients;
const CLIENTS = [
  ...SETTINGS.clients,
  {
    ...planner,
    client_id: 'television',
    redirect_uris: undefined,
    device_authorization_allowed: true,
    first_party: true,
  },
  { ...server, client_id: 'box', device_authorization_allowed: true },
];

describe.each(EITHER_DATABASE)('a device without a browser (RFC 8628), on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, { clients: CLIENTS });
  });
  afterAll(() => apps.provider.close());

  const begin = async (fields: Fields = {}, headers?: Record<string, string>) =>
    apps.form('/device_authorization', { client_id: 'television', ...fields }, headers);
  const begun = async (fields: Fields = {}) => (await begin(fields)).body;
  const poll = (device: Fields, fields: Fields = {}, headers?: Record<string, string>) =>
    apps.token({ client_id: 'television', grant_type: GRANT, device_code: device['device_code'], ...fields }, headers);
  const look = (user_code: unknown, user = apps.signedIn.user) =>
    apps.provider.post('/idp/oauth/device/start', { user_code }, as(user));
  const decide = (user_code: unknown, consent_granted = true, user = apps.signedIn.user) =>
    apps.provider.post('/idp/oauth/device/submit', { user_code, consent_granted }, as(user));
  const wait = (seconds: number) => {
    apps.provider.clock.time += seconds * 1000;
  };
  const refused = (error: string) => expect.objectContaining({ status: 400, body: expect.objectContaining({ error }) });

  it('signs its user in, as a client that nobody here wrote does', async () => {
    const party = await relyingParty(apps.provider, 'box', client.ClientSecretBasic(SECRET));
    expect(party.serverMetadata().device_authorization_endpoint).toBe(`${ISSUER}/oauth2/device_authorization`);
    expect(party.serverMetadata().grant_types_supported).toContain(GRANT);
    const device = await client.initiateDeviceAuthorization(party, { scope: OFFLINE.join(' ') });
    expect(device).toMatchObject({ verification_uri: `${ISSUER}/oauth2/device`, expires_in: 600, interval: 5 });
    expect(device.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/u);
    expect((await decide(device.user_code)).data).toMatchObject({ granted: true });
    const tokens = await client.pollDeviceAuthorizationGrant(party, { ...device, interval: 0 });
    expect(tokens.claims()?.sub).toBe(apps.signedIn.user['user_id']);
    expect((await apps.userinfo(tokens.access_token)).body).toMatchObject({ email: 'edith@example.com' });
    const refreshed = await client.refreshTokenGrant(party, String(tokens.refresh_token));
    expect(refreshed.refresh_token).toBeTruthy();
  });

  it('is told to wait, and to wait longer if it polls too often', async () => {
    const device = await begun();
    expect(await poll(device)).toEqual(refused('authorization_pending'));
    wait(4);
    expect(await poll(device)).toEqual(refused('slow_down'));
    wait(6);
    expect(await poll(device)).toEqual(refused('slow_down'));
    wait(15);
    expect(await poll(device)).toEqual(refused('authorization_pending'));
    await decide(device['user_code']);
    expect(await poll(device)).toMatchObject({ status: 200 });
  });

  it('has a link with the code, which leads to the page of the project', async () => {
    const { verification_uri, verification_uri_complete, user_code } = await begun();
    const opened = async (address: string) => {
      const reply = await apps.provider.app.request(address);
      return [reply.status, reply.headers.get('location')];
    };
    expect(await opened(String(verification_uri_complete))).toEqual([303, `${PAGE}?user_code=${String(user_code)}`]);
    expect(await opened(String(verification_uri))).toEqual([303, `${PAGE}?user_code=`]);
    expect(await opened(`${String(verification_uri)}?user_code=%3Cscript%3E`)).toEqual([
      303,
      `${PAGE}?user_code=SCRP-T`,
    ]);
    expect(await opened(`${String(verification_uri)}?user_code=A&user_code=B`)).toEqual([400, null]);
  });

  it('is shown with its app, program and network, also to a user who has allowed its app before', async () => {
    const there = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
    const body = new URLSearchParams({ client_id: 'television', scope: 'openid purge' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Television/9' };
    for (let time = 0; time < 2; time += 1) {
      const address = `${ISSUER}/oauth2/device_authorization`;
      const reply = await apps.provider.app.request(address, { method: 'POST', headers, body }, there);
      const { user_code } = (await reply.json()) as Fields;
      const written = ` ${String(user_code).toLowerCase().replace('-', ' ')} `;
      expect((await look(written)).data).toMatchObject({
        client: { client_name: 'Planner', client_verified: true },
        device: { user_code, program: 'Television/9', network: '203.0.113.9', is_same_network: false },
        scope_results: [
          { scope: 'openid', is_grantable: true },
          { scope: 'purge', is_grantable: false },
        ],
        user: { user_id: apps.signedIn.user['user_id'] },
      });
      expect((await decide(user_code)).data).toMatchObject({ granted: true });
    }
    const kept = JSON.stringify(
      await apps.provider.services.db.selectFrom('device_authorizations').selectAll().execute(),
    );
    for (const secret of ['203.0.113.9', 'Television']) expect(kept).not.toContain(secret);
  });

  it.each([
    ['203.0.113.9', '203.0.113.9', true],
    ['127.0.0.1', '::1', true],
    ['127.0.0.1', '203.0.113.9', false],
    ['203.0.113.9', '203.0.113.10', false],
  ])('is at %s, and is shown to a browser at %s as near: %s', async (there, here, isNear) => {
    const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', headers, body: 'client_id=television' };
    const begun = await apps.provider.app.request(`${ISSUER}/oauth2/device_authorization`, request, from(there));
    const { user_code } = (await begun.json()) as Fields;
    const shown = await apps.provider.app.request(
      '/sdk/v1/idp/oauth/device/start',
      {
        method: 'POST',
        headers: {
          authorization: basic(PUBLIC_TOKEN, apps.signedIn.user['session_token']),
          'content-type': 'application/json',
        },
        body: JSON.stringify({ user_code }),
      },
      from(here),
    );
    const { data } = (await shown.json()) as Fields;
    expect(data['device']).toMatchObject({ network: there, is_same_network: isNear });
  });

  it('is told that the user denied it, or that its time is over', async () => {
    const [denied, late] = [await begun(), await begun()];
    expect((await decide(denied['user_code'], false)).data).toMatchObject({ granted: false });
    expect(await poll(denied)).toEqual(refused('access_denied'));
    for (const used of [await look(denied['user_code']), await decide(denied['user_code'])]) {
      expect(used).toMatchObject({ status: 404, body: { error_type: 'user_code_not_found' } });
    }
    wait(600);
    expect(await poll(late)).toEqual(refused('expired_token'));
    expect((await decide(late['user_code'])).body).toMatchObject({ error_type: 'user_code_not_found' });
    apps.provider.clock.time += 61 * MINUTE;
    await sweep(apps.provider.services);
    expect(await apps.provider.services.db.selectFrom('device_authorizations').selectAll().execute()).toEqual([]);
    await apps.signInAgain();
  });

  it('redeems what was allowed until its time is over', async () => {
    const device = await begun();
    await decide(device['user_code']);
    wait(590);
    expect(await poll(device)).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', scope: 'openid email profile' },
    });
    await apps.signInAgain();
  });

  it('loses what was allowed when the user signs out before it polls', async () => {
    const device = await begun();
    await decide(device['user_code']);
    await apps.provider.post('/sessions/revoke', {}, as(apps.signedIn.user));
    expect(await poll(device)).toEqual(refused('invalid_grant'));
    await apps.signInAgain();
  });

  it.each<[string, Fields, Record<string, string>]>([
    ['unauthorized_client', { client_id: 'planner' }, {}],
    ['invalid_scope', { scope: 'nothing' }, {}],
    ['invalid_request', { client_id: 'television', client_secret: 'x', client_assertion: 'y' }, {}],
  ])('is refused with %s for %j', async (error, fields, headers) => {
    expect(await begin(fields, headers)).toMatchObject({ body: { error } });
  });

  it('is refused of an app that does not prove itself', async () => {
    expect(await begin({ client_id: 'box' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const device = (await begin({ client_id: 'box' }, withSecret('box', SECRET))).body;
    expect(await poll(device, { client_id: 'box' })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it('names what is missing', async () => {
    const { body } = await apps.token({ client_id: 'television', grant_type: GRANT });
    expect(body).toEqual({ error: 'invalid_request', error_description: 'device_code is missing.' });
  });
});
