import { createHash, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { CALLBACK, challenge, ISSUER, OFFLINE, verifier } from '../kit/idp-harness.ts';
import { JWK, KEY, postgres, threeServers } from './three-servers.ts';

describe.runIf(postgres !== undefined)('apps at three servers on one database', () => {
  const three = threeServers();
  const { signIn, tenAtOnce, countOf } = three;

  it('an app gets tokens, refreshes them, and loses them', async () => {
    const { session_token, user_id } = await signIn('edith@example.com');
    const app = { client_id: 'planner', redirect_uri: CALLBACK };
    const asked = { ...app, response_type: 'code', scopes: OFFLINE };
    await three.cluster.post('/idp/oauth/authorize/start', asked, session_token);
    const consent = { ...asked, code_challenge: challenge, consent_granted: true };
    const { authorization_code: code } = await three.cluster.post(
      '/idp/oauth/authorize/submit',
      consent,
      session_token,
    );
    const redeem = { ...app, grant_type: 'authorization_code', code: String(code), code_verifier: verifier };
    const first = (await three.cluster.form('/oauth2/token', redeem)).body;
    const refresh = {
      client_id: 'planner',
      grant_type: 'refresh_token',
      refresh_token: String(first['refresh_token']),
    };
    // Ten at once, on three servers: each gets the same next token.
    const answers = await Promise.all(Array.from({ length: 10 }, () => three.cluster.form('/oauth2/token', refresh)));
    const nexts = new Set(answers.map(({ body }) => body['refresh_token']));
    expect([nexts.size, nexts.has(undefined), nexts.has(first['refresh_token'])]).toEqual([1, false, false]);
    const second = answers[0]?.body ?? {};
    const about = () =>
      three.cluster.ask('/oauth2/userinfo', { headers: { authorization: `Bearer ${second['access_token']}` } });
    for (const _ of three.cluster.servers) expect((await about()).body['sub']).toBe(user_id);
    await three.cluster.form('/oauth2/revoke', { client_id: 'planner', token: String(second['refresh_token']) });
    for (const _ of three.cluster.servers) expect((await about()).status).toBe(401);
    const ended = { ...refresh, refresh_token: String(second['refresh_token']) };
    expect((await three.cluster.form('/oauth2/token', ended)).body['error']).toBe('invalid_grant');
  });

  it('a device is let in once and gets tokens once, of ten decisions and ten polls at once', async () => {
    const { session_token } = await signIn('edith@example.com');
    const asked = { client_id: 'television', scope: 'openid email' };
    const { user_code, device_code } = (await three.cluster.form('/oauth2/device_authorization', asked)).body;
    const decision = { user_code, consent_granted: true };
    const decisions = await tenAtOnce(() =>
      three.cluster.call('POST', '/idp/oauth/device/submit', decision, session_token as string),
    );
    expect([countOf(decisions, 200), countOf(decisions, 404)]).toEqual([1, 9]);
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const poll = { client_id: 'television', grant_type, device_code: String(device_code) };
    const polls = await tenAtOnce(() => three.cluster.form('/oauth2/token', poll));
    expect([countOf(polls, 200), countOf(polls, 400)]).toEqual([1, 9]);
    // One of two holders of the code is a thief.
    const { access_token } = polls.find(({ status }) => status === 200)?.body ?? {};
    const headers = { authorization: `Bearer ${String(access_token)}` };
    expect((await three.cluster.ask('/oauth2/userinfo', { headers })).status).toBe(401);
  });

  it('a code, an assertion and a proof of a key are each spent once, of ten at once', async () => {
    const { session_token } = await signIn('edith@example.com');
    const app = { client_id: 'planner', redirect_uri: CALLBACK };
    const codeFor = async () => {
      const consent = { ...app, response_type: 'code', scopes: ['openid'], code_challenge: challenge };
      const body = { ...consent, consent_granted: true };
      const { authorization_code } = await three.cluster.post(
        '/idp/oauth/authorize/submit',
        body,
        session_token as string,
      );
      return { ...app, grant_type: 'authorization_code', code: String(authorization_code), code_verifier: verifier };
    };
    const code = await codeFor();
    const redeemed = await tenAtOnce(() => three.cluster.form('/oauth2/token', code));
    expect([countOf(redeemed, 200), countOf(redeemed, 400)]).toEqual([1, 9]);

    const sign = (claims: object, header: object) =>
      new SignJWT({ jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', ...header })
        .setIssuedAt()
        .sign(KEY.privateKey);
    const exp = Math.floor(Date.now() / 1000) + 60;
    const client_assertion = await sign({ iss: 'signer', sub: 'signer', aud: ISSUER, exp }, { kid: 'one' });
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const asked = { token: 'x', client_assertion_type, client_assertion };
    const answers = await tenAtOnce(() => three.cluster.form('/oauth2/introspect', asked));
    expect([countOf(answers, 200), countOf(answers, 401)]).toEqual([1, 9]);

    const proof = (claims: object) => sign(claims, { typ: 'dpop+jwt', jwk: JWK });
    const at = { htm: 'POST', htu: `${ISSUER}/oauth2/token` };
    const early = await three.cluster.form('/oauth2/token', { ...code, code: 'x' }, { dpop: await proof(at) });
    const nonce = early.headers['dpop-nonce'];
    const dpop = await proof({ ...at, nonce });
    const { access_token } = (await three.cluster.form('/oauth2/token', await codeFor(), { dpop })).body;
    const ath = createHash('sha256').update(String(access_token)).digest('base64url');
    const once = await proof({ htm: 'GET', htu: `${ISSUER}/oauth2/userinfo`, ath, nonce });
    const headers = { authorization: `DPoP ${String(access_token)}`, dpop: once };
    const calls = await tenAtOnce(() => three.cluster.ask('/oauth2/userinfo', { headers }));
    expect([countOf(calls, 200), countOf(calls, 401)]).toEqual([1, 9]);
  });

  it('a pushed request is visited once, and a registration is removed once, of ten at once', async () => {
    const query = { client_id: 'planner', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' };
    const { request_uri } = (await three.cluster.form('/oauth2/par', { ...query, code_challenge: challenge })).body;
    const visit = new URLSearchParams({ client_id: 'planner', request_uri: String(request_uri) }).toString();
    const visits = await tenAtOnce(() => three.cluster.ask(`/oauth2/authorize?${visit}`));
    expect([countOf(visits, 303), countOf(visits, 400)]).toEqual([1, 9]);

    const metadata = { redirect_uris: ['http://127.0.0.1/cb'], token_endpoint_auth_method: 'none' };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(metadata);
    const made = (await three.cluster.ask('/oauth2/register', { method: 'POST', headers, body })).body;
    const authorization = `Bearer ${String(made['registration_access_token'])}`;
    const path = `/oauth2/register/${String(made['client_id'])}`;
    const removals = await tenAtOnce(() => three.cluster.ask(path, { method: 'DELETE', headers: { authorization } }));
    expect(countOf(removals, 204)).toBeGreaterThan(0);
    expect(countOf(removals, 204) + countOf(removals, 401)).toBe(10);
    expect((await three.cluster.ask(path, { headers: { authorization } })).status).toBe(401);
  });
});
