import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeConnectedApp } from '#provider/apps/idp/clients/backend-connected-apps.ts';
import { currentNonce } from '#provider/accounts/sessions/proofs/proofs.ts';
import { systemClock } from '#provider/base/platform.ts';
import { LogoutCarrier } from '#provider/messages/logouts/logout-carrier.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { startDelivery } from '#provider/messages/outbox/delivery.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { as, CALLBACK, ISSUER, makeApps, SETTINGS, type Apps } from '../kit/idp-harness.ts';
import { FILES, MAIL, RESOURCES } from '../kit/resource-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const GUESSES = DEFAULT_LIMITS.deviceCodesPerUser.max;
const [planner] = SETTINGS.clients;
const device = { ...planner, redirect_uris: undefined, device_authorization_allowed: true };
const CLIENTS = [
  ...SETTINGS.clients,
  { ...device, client_id: 'television' },
  { ...device, client_id: 'radio' },
  { ...planner, client_id: 'full', first_party: true },
];

describe.each(EITHER_DATABASE)('device codes under attack, on %s', (_, url) => {
  let apps: Apps;
  beforeAll(async () => {
    apps = await makeApps(url, { clients: CLIENTS, resources: RESOURCES, allow_loopback: true });
  });
  afterAll(() => apps.provider.close());

  const begin = async (fields: Fields = {}, headers?: Record<string, string>) =>
    apps.form('/device_authorization', { client_id: 'television', ...fields }, headers);
  const begun = async (fields: Fields = {}) => (await begin(fields)).body;
  const poll = (given: Fields, fields: Fields = {}, headers?: Record<string, string>) =>
    apps.token({ client_id: 'television', grant_type: GRANT, device_code: given['device_code'], ...fields }, headers);
  const decide = (user_code: unknown, consent_granted = true, user = apps.signedIn.user) =>
    apps.provider.post('/idp/oauth/device/submit', { user_code, consent_granted }, as(user));
  const many = <T>(count: number, act: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_each, index) => act(index)));
  const count = (answers: readonly { readonly status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  const later = async () => {
    apps.provider.clock.time += 3_600_000;
    await apps.signInAgain();
  };

  it('guesses of a user code are counted for the user, raced too, and a right one is not compared after them', async () => {
    await later();
    const { user_code } = await begun();
    const letters = 'BCDFGHJKLMNPQRSTVWXZ';
    const guess = (index: number) =>
      apps.provider.post(
        index % 2 === 0 ? '/idp/oauth/device/start' : '/idp/oauth/device/submit',
        { user_code: `BBBBBB${letters[index % 20]}${letters[Math.floor(index / 20)]}`, consent_granted: true },
        as(apps.signedIn.user),
      );
    const answers = await many(GUESSES + 20, guess);
    expect([count(answers, 404), count(answers, 429)]).toEqual([GUESSES, 20]);
    expect((await decide(user_code)).status).toBe(429);
    await later();
  });

  soakIt('a device code is of no use to another app, which changes nothing for the right one', async () => {
    await later();
    const given = await begun();
    const stolen = () => poll(given, { client_id: 'radio' });
    expect((await stolen()).body['error']).toBe('invalid_grant');
    expect((await poll(given)).body['error']).toBe('authorization_pending');
    await decide(given['user_code']);
    const answers = await many(10, stolen);
    expect(answers.map(({ body }) => body['error'])).toEqual(Array.from({ length: 10 }, () => 'invalid_grant'));
    const tokens = await poll(given);
    expect(tokens.status).toBe(200);
    expect((await apps.userinfo(tokens.body['access_token'])).status).toBe(200);
  });

  it('of ten polls at once one gets tokens, and they end, because one of two holders of the code is a thief', async () => {
    await later();
    const given = await begun();
    await decide(given['user_code']);
    const answers = await many(10, () => poll(given));
    expect([count(answers, 200), count(answers, 400)]).toEqual([1, 9]);
    const tokens = answers.find(({ status }) => status === 200);
    expect((await apps.userinfo(tokens?.body['access_token'])).status).toBe(401);
  });

  soakIt('of ten decisions at once one counts', async () => {
    for (const [round, allowed] of [true, false].entries()) {
      await later();
      const given = await begun();
      const answers = await many(10, (index) => decide(given['user_code'], (index % 2 === round % 2) === allowed));
      expect([count(answers, 200), count(answers, 404)]).toEqual([1, 9]);
      const granted = answers.find(({ status }) => status === 200)?.data['granted'];
      expect((await poll(given)).status).toBe(granted === true ? 200 : 400);
    }
  });

  it('an app that was not set up for it cannot be phished for: its id is known to everybody', async () => {
    expect(await begin({ client_id: 'planner' })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
    expect(await begin({ client_id: 'full', scope: 'full_access' })).toMatchObject({ status: 400 });
  });

  it("an app in the user's session cannot let a device in", async () => {
    await later();
    const { access_token } = await apps.tokensFor(['full_access']);
    const body = { access_token, session_duration_minutes: 30 };
    const { data } = await apps.provider.post('/sessions/exchange_access_token', body);
    const given = await begun();
    for (const path of ['start', 'submit']) {
      const reply = await apps.provider.post(
        `/idp/oauth/device/${path}`,
        { user_code: given['user_code'], consent_granted: true },
        { session: String(data['session_token']) },
      );
      expect(reply.status).toBe(403);
    }
    expect((await poll(given)).body['error']).toBe('authorization_pending');
  });

  it('a device that proved a key keeps its code from whoever has no key', async () => {
    await later();
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const proof = async (path: string) => {
      const { clock } = apps.provider;
      const nonce = currentNonce(apps.provider.services);
      const claims = { htm: 'POST', htu: `${ISSUER}/oauth2${path}`, jti: crypto.randomUUID(), nonce };
      const signing = new SignJWT({ ...claims, iat: Math.floor(clock.now() / 1000) });
      return { dpop: await signing.setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).sign(privateKey) };
    };
    const given = (await begin({ scope: 'openid offline_access' }, await proof('/device_authorization'))).body;
    await decide(given['user_code']);
    expect((await poll(given)).body['error']).toBe('invalid_grant');
    const { body } = await poll(given, {}, await proof('/token'));
    expect(body['token_type']).toBe('DPoP');
    const [, payload = ''] = String(body['access_token']).split('.');
    const { cnf } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Fields;
    expect(cnf).toEqual({ jkt: await calculateJwkThumbprint(jwk) });
    const refresh = { client_id: 'television' };
    expect((await apps.refresh(body['refresh_token'], refresh)).body['error']).toBe('invalid_grant');
    expect((await apps.refresh(body['refresh_token'], refresh, await proof('/token'))).status).toBe(200);
  });

  soakIt('a device code for one API gives a token for no other, and the polls do not use it up', async () => {
    await later();
    const given = await begun({ resource: FILES, scope: 'openid offline_access' });
    await decide(given['user_code']);
    const others = await Promise.all([ISSUER, MAIL, `${FILES} ${MAIL}`].map((resource) => poll(given, { resource })));
    expect(others.map(({ body }) => body['error'])).toEqual(['invalid_target', 'invalid_target', 'invalid_target']);
    const { body } = await poll(given);
    expect(decodeJwt(body['access_token']).aud).toBe(FILES);
    const refresh = { client_id: 'television', resource: MAIL };
    expect((await apps.refresh(body['refresh_token'], refresh)).body['error']).toBe('invalid_target');
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: body['access_token'],
    };
    const exchanged = await apps.token({ client_id: 'television', resource: MAIL, ...exchange });
    expect(exchanged.body['error']).toBe('unsupported_grant_type');
  });

  it('the address of an app made at run time leads to no private network', async () => {
    await later();
    const visits: string[] = [];
    const inside = createServer((request, response) => {
      visits.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => {
      inside.listen(0, '127.0.0.1', resolve);
    });
    const { port } = inside.address() as AddressInfo;
    const { services } = apps.provider;
    const body = {
      client_type: 'third_party_public',
      redirect_urls: [CALLBACK],
      backchannel_logout_uri: `http://127.0.0.1:${port}/inside`,
    };
    const { connected_app } = await makeConnectedApp(services, body);
    const { client_id } = connected_app;
    await apps.redeem({ client_id, code: await apps.codeFor({ client_id, scopes: ['openid'] }) });
    await apps.provider.post('/sessions/revoke', {}, as(apps.signedIn.user));
    const carriers = { logout: new LogoutCarrier(services) };
    const delivery = startDelivery({ ...services, clock: systemClock, dev: false }, carriers, { poll: 5 });
    const errors = async () =>
      (await services.db.selectFrom('outbox').select('last_error').where('channel', '=', 'logout').execute()).map(
        ({ last_error }) => last_error,
      );
    await vi.waitFor(async () => expect(await errors()).toEqual(['the gateway: forbidden address']));
    await delivery?.stop();
    inside.closeAllConnections();
    await new Promise((resolve) => {
      inside.close(resolve);
    });
    expect(visits).toEqual([]);
    for (const uri of [
      'http://169.254.169.254/',
      'ftp://x.example/',
      'https://user@x.example/',
      'https://x.example/#f',
    ]) {
      await expect(makeConnectedApp(services, { ...body, backchannel_logout_uri: uri })).rejects.toMatchObject({
        body: [expect.objectContaining({ dataPath: ['backchannel_logout_uri'] })],
      });
    }
  });
});
