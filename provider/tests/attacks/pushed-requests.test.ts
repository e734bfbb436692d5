import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import {
  askedIn,
  CALLBACK,
  challenge,
  ISSUER,
  makeApps,
  relyingParty,
  SECRET,
  SETTINGS,
  visited,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const [, , , server] = SETTINGS.clients;
const CLIENTS = [...SETTINGS.clients, { ...server, client_id: 'pushing', require_pushed_authorization_requests: true }];
const REQUEST = {
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  state: 'pushed',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

describe.each(EITHER_DATABASE)('a request that an app pushes (RFC 9126), on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, { clients: CLIENTS });
  });
  afterAll(() => apps.provider.close());

  const push = (fields: Fields = {}, id = 'server') =>
    apps.form('/par', { ...REQUEST, ...fields }, withSecret(id, SECRET));
  const pushed = async (fields: Fields = {}, id = 'server') => String((await push(fields, id)).body['request_uri']);
  const open = (request_uri: string, fields: Fields = {}, client_id: string | undefined = 'server') =>
    apps.visit('/authorize', { client_id, request_uri, ...fields });
  const REFUSED = { status: 400, location: null, text: expect.stringContaining('invalid_request_uri') };

  it('signs its users in, like an independent client library', async () => {
    const party = await relyingParty(apps.provider, 'pushing', client.ClientSecretBasic(SECRET));
    const parameters = { ...REQUEST, code_challenge: challenge };
    const target = await client.buildAuthorizationUrlWithPAR(party, parameters);
    expect([...target.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const { location } = await visited(apps.provider, target);
    expect(location?.searchParams.get('state')).toBe('pushed');
    const { data } = await apps.submit(askedIn(location ?? target));
    expect(new URL(data['redirect_uri']).searchParams.get('code')).toBeTruthy();
  });

  it('is answered with an address that says nothing and ends soon', async () => {
    const { status, body, headers } = await push();
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/u),
      expires_in: 90,
    });
    const kept = JSON.stringify(await apps.provider.services.db.selectFrom('pushed_requests').selectAll().execute());
    for (const secret of [SECRET, String(body['request_uri']).slice(-43)]) expect(kept).not.toContain(secret);
  });

  it('is taken as it was pushed, whatever the browser adds', async () => {
    const { location } = await open(await pushed(), { state: 'evil', scope: 'openid email', prompt: 'none' });
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({ state: 'pushed', scope: 'openid' });
    expect(location?.searchParams.get('prompt')).toBeNull();
  });

  it('is on the page a short reference, which is for that app and request alone, for an hour, and for no second visit', async () => {
    const { location } = await open(await pushed());
    const asked = askedIn(location ?? new URL(ISSUER));
    const reference = String(asked['authorization_request']);
    expect(reference).toMatch(/^[\w-]{43}$/u);
    const kept = JSON.stringify(await apps.provider.services.db.selectFrom('pushed_requests').selectAll().execute());
    expect(kept).not.toContain(reference);
    for (const fields of [
      { client_id: 'planner' },
      { redirect_uri: 'https://evil.example/' },
      { scopes: ['openid', 'full_access'] },
      { authorization_request: `${reference.slice(0, -1)}${reference.endsWith('A') ? 'B' : 'A'}` },
    ]) {
      for (const step of [apps.start, apps.submit]) {
        expect((await step({ ...asked, ...fields })).body['error_type']).toBe('invalid_authorization_request');
      }
    }
    expect(await open(`urn:ietf:params:oauth:request_uri:${reference}`)).toMatchObject(REFUSED);
    expect(await open(`urn:ietf:params:oauth:request_uri:page ${reference}`)).toMatchObject(REFUSED);
    // What the page says beside it does not count.
    const { data } = await apps.submit({ ...asked, state: 'evil', code_challenge: 'x'.repeat(43) });
    expect(new URL(data['redirect_uri']).searchParams.get('state')).toBe('pushed');
    apps.provider.clock.time += 61 * MINUTE;
    await apps.signInAgain();
    expect((await apps.submit(asked)).body['error_type']).toBe('invalid_authorization_request');
  });

  it('is not used up by a program that looks at its link with HEAD', async () => {
    const request_uri = await pushed();
    const link = `${ISSUER}/oauth2/authorize?${new URLSearchParams({ client_id: 'server', request_uri }).toString()}`;
    const looked = await apps.provider.app.request(link, { method: 'HEAD' });
    expect([looked.status, looked.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await open(request_uri)).status).toBe(303);
  });

  it('is valid once, also of ten at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const uri = await pushed();
      const visits = await Promise.all(Array.from({ length: 10 }, () => open(uri)));
      expect(visits.filter(({ status }) => status === 303)).toHaveLength(1);
      expect(visits.filter(({ text }) => text.includes('invalid_request_uri'))).toHaveLength(9);
    }
  });

  it('is refused for another app, which does not use it up, and after its time', async () => {
    const uri = await pushed();
    for (const client_id of ['second', 'planner', 'nobody', '', 'a\u0000']) {
      expect(await open(uri, {}, client_id)).toMatchObject(REFUSED);
    }
    expect((await open(uri)).status).toBe(303);
    const late = await pushed();
    apps.provider.clock.time += 90_000;
    expect(await open(late)).toMatchObject(REFUSED);
    apps.provider.clock.time += 121 * MINUTE;
    await sweep(apps.provider.services);
    expect(await apps.provider.services.db.selectFrom('pushed_requests').selectAll().execute()).toEqual([]);
    await apps.signInAgain();
  });

  it('cannot be passed by with a link to the page itself, for an app that must push', async () => {
    for (const step of [apps.start, apps.submit]) {
      const { body } = await step({ client_id: 'pushing' });
      expect(body['error_type']).toBe('authorization_request_required');
    }
  });

  it('cannot be guessed or forged', async () => {
    for (const guess of ['', 'x', 'x'.repeat(43)]) {
      expect(await open(`urn:ietf:params:oauth:request_uri:${guess}`)).toMatchObject(REFUSED);
    }
  });

  it.each<[string, Fields]>([
    ['invalid_request', { redirect_uri: undefined }],
    ['invalid_request', { redirect_uri: 'https://evil.example/' }],
    ['invalid_request', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }],
    ['request_not_supported', { request: 'x' }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { response_type: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_scope', { scope: 'nothing' }],
    ['invalid_request', { client_id: 'planner' }],
  ])('is refused at once with %s for %j', async (error, fields) => {
    expect(await push(fields)).toMatchObject({ status: 400, body: { error } });
  });

  soakIt('is refused of an app that does not prove itself, and limited for one that cannot', async () => {
    const unproven = await apps.form('/par', { ...REQUEST, client_id: 'server' });
    expect(unproven).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const { max } = apps.provider.services.limits.searchesPerNetwork;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ ...REQUEST, client_id: 'planner' }).toString();
    const there = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
    const flood = Array.from({ length: max + 20 }, async () =>
      apps.provider.app.request(`${ISSUER}/oauth2/par`, { method: 'POST', headers, body }, there),
    );
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(max);
    expect([statuses.includes(429), (await push()).status]).toEqual([true, 201]);
  });

  it('an app that must push its requests gets no other in', async () => {
    const { location } = await apps.visit('/authorize', { client_id: 'pushing', ...REQUEST });
    expect(location?.href.startsWith(`${CALLBACK}?error=invalid_request&`)).toBe(true);
    expect(location?.searchParams.get('iss')).toBe(ISSUER);
    expect((await open(await pushed({}, 'pushing'), {}, 'pushing')).status).toBe(303);
  });
});
