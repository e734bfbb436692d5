import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import {
  CALLBACK,
  ISSUER,
  makeApps,
  OFFLINE,
  relyingParty,
  SETTINGS,
  withSecret,
  SECRET,
  type Apps,
} from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

const own: KeyPair = await generateKeyPair('ES256', { extractable: true });
const thiefs: KeyPair = await generateKeyPair('ES256', { extractable: true });
const TOKEN = `${ISSUER}/oauth2/token`;
const USERINFO = `${ISSUER}/oauth2/userinfo`;
const [planner] = SETTINGS.clients;
const CLIENTS = [...SETTINGS.clients, { ...planner, client_id: 'bound', dpop_bound_access_tokens: true }];

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
const thumbprintOf = async ({ publicKey }: KeyPair) => calculateJwkThumbprint(await exportJWK(publicKey));

describe.each(EITHER_DATABASE)('tokens that are bound to a key (RFC 9449), on %s', (_, url) => {
  let apps: Apps;
  let nonce = '';
  beforeAll(async () => {
    apps = await makeApps(url, { clients: CLIENTS });
    const first = await apps.redeem({ code: 'x' }, { dpop: await proofOf({ nonce: undefined }) });
    expect(first).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
    nonce = first.headers.get('dpop-nonce') ?? '';
  });
  afterAll(() => apps.provider.close());

  const seconds = () => Math.floor(apps.provider.clock.time / 1000);
  /** A proof for the token endpoint, with changes; an undefined claim is left out. */
  async function proofOf(changes: Fields = {}, pair = own, header: object = {}): Promise<string> {
    const claims = { htm: 'POST', htu: TOKEN, iat: seconds(), jti: randomUUID(), nonce, ...changes };
    const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
    const jwk = await exportJWK(pair.publicKey);
    return new SignJWT(given)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
      .sign(pair.privateKey);
  }
  const proven = async (changes: Fields = {}, pair = own) => ({ dpop: await proofOf(changes, pair) });
  const boundTokens = async () =>
    (await apps.redeem({ code: await apps.codeFor({ scopes: OFFLINE }) }, await proven())).body;
  const userinfo = async (token: string, changes: Fields = {}, pair = own, scheme = 'DPoP') => {
    const proof = await proofOf({ htm: 'GET', htu: USERINFO, ath: hashOf(token), ...changes }, pair);
    return apps.get('/oauth2/userinfo', { headers: { authorization: `${scheme} ${token}`, dpop: proof } });
  };

  it('are used by an independent client library', async () => {
    apps.provider.clock.time = Date.now();
    await apps.signInAgain();
    const party = await relyingParty(apps.provider, 'planner', client.None());
    const DPoP = client.getDPoPHandle(party, await client.randomDPoPKeyPair());
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
    const dpop_jkt = await DPoP.calculateThumbprint();
    const asked = await apps.arrive({ scopes: OFFLINE, code_challenge, dpop_jkt });
    const { data } = await apps.submit(asked);
    const back = new URL(data['redirect_uri']);
    const tokens = await client.authorizationCodeGrant(
      party,
      back,
      { pkceCodeVerifier, expectedState: client.skipStateCheck },
      undefined,
      { DPoP },
    );
    expect([tokens.token_type, decodeJwt(tokens.access_token)['cnf']]).toEqual(['dpop', { jkt: dpop_jkt }]);
    const sub = tokens.claims()?.sub ?? '';
    expect(await client.fetchUserInfo(party, tokens.access_token, sub, { DPoP })).toMatchObject({ sub });
    const refreshed = await client.refreshTokenGrant(party, tokens.refresh_token ?? '', undefined, { DPoP });
    expect(await client.fetchUserInfo(party, refreshed.access_token, sub, { DPoP })).toMatchObject({ sub });
    const other = await apps.redeem({ code: 'x' }, await proven({ nonce: undefined }));
    nonce = other.headers.get('dpop-nonce') ?? '';
  });

  it('are of no use to who read them', async () => {
    const { access_token } = await boundTokens();
    expect((await userinfo(access_token)).status).toBe(200);
    const bearer = await apps.userinfo(access_token);
    expect(bearer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const inForm = await apps.get('/oauth2/userinfo', { ...form, body: new URLSearchParams({ access_token }) });
    expect(inForm.status).toBe(401);
    expect(await userinfo(access_token, {}, own, 'Bearer')).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
    expect(await userinfo(access_token, {}, thiefs)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const full = await apps.redeem({ code: await apps.codeFor({ scopes: ['openid', 'full_access'] }) }, await proven());
    const exchange = { access_token: full.body['access_token'], session_duration_minutes: 5 };
    const exchanged = await apps.provider.post('/sessions/exchange_access_token', exchange);
    expect(exchanged.body['error_type']).toBe('invalid_access_token');
  });

  it('a bearer token is not taken with a proof', async () => {
    const { access_token } = await apps.tokensFor(['openid']);
    expect((await userinfo(access_token)).body['error']).toBe('invalid_token');
  });

  it.each<[string, () => Promise<string>]>([
    ['another method', () => proofOf({ htm: 'GET' })],
    ['another address', () => proofOf({ htu: `${ISSUER}/oauth2/revoke` })],
    ['another port', () => proofOf({ htu: 'http://localhost/oauth2/token' })],
    ['another scheme', () => proofOf({ htu: TOKEN.replace('http:', 'https:') })],
    ['capitals in the path', () => proofOf({ htu: `${ISSUER}/oauth2/TOKEN` })],
    ['a path that goes on', () => proofOf({ htu: `${TOKEN}/` })],
    ['a path alone', () => proofOf({ htu: '/oauth2/token' })],
    [
      'another server behind a user',
      () => proofOf({ htu: `http://${new URL(ISSUER).host}@evil.example/oauth2/token` }),
    ],
    ['another server', () => proofOf({ htu: 'https://login.evil.example/oauth2/token' })],
    ['no address', () => proofOf({ htu: undefined })],
    ['no id', () => proofOf({ jti: undefined })],
    ['an id that is too long', () => proofOf({ jti: 'x'.repeat(257) })],
    ['a time that is past', () => proofOf({ iat: seconds() - 61 })],
    ['a time that is to come', () => proofOf({ iat: seconds() + 61 })],
    ['no time', () => proofOf({ iat: undefined })],
    ['another type', () => proofOf({}, own, { typ: 'JWT' })],
    ['another key in its header', async () => proofOf({}, own, { jwk: await exportJWK(thiefs.publicKey) })],
    ['a private key in its header', async () => proofOf({}, own, { jwk: await exportJWK(own.privateKey) })],
    ['no key', () => proofOf({}, own, { jwk: undefined })],
    ['two proofs', async () => `${await proofOf()}, ${await proofOf()}`],
    [
      'no signature',
      () => Promise.resolve(`${Buffer.from('{"alg":"none","typ":"dpop+jwt"}').toString('base64url')}.e30.`),
    ],
    ['no JWT', () => Promise.resolve('x')],
    ['nothing', () => Promise.resolve('')],
  ])('a proof with %s is refused, and uses no code up', async (_why, proof) => {
    const code = await apps.codeFor();
    const refused = await apps.redeem({ code }, { dpop: await proof() });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
    expect((await apps.redeem({ code }, await proven())).status).toBe(200);
  });

  it.each([
    ['capitals in the host and the scheme', TOKEN.replace(ISSUER, ISSUER.toUpperCase())],
    ['a query and a fragment', `${TOKEN}?resource=x#y`],
    ['a dot segment', `${ISSUER}/a/../oauth2/token`],
  ])('a proof whose address has %s is for the same address (RFC 9449, section 4.3)', async (_how, htu) => {
    expect((await apps.redeem({ code: await apps.codeFor() }, await proven({ htu }))).status).toBe(200);
  });

  it('a proof for another access token is refused', async () => {
    const [{ access_token }, other] = [await boundTokens(), await boundTokens()];
    const wrong = await userinfo(access_token, { ath: hashOf(other['access_token']) });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_dpop_proof' } });
    expect(wrong.headers.get('www-authenticate')).toMatch(/^DPoP algs="ES256 /u);
    expect((await userinfo(access_token, { ath: undefined })).body['error']).toBe('invalid_dpop_proof');
  });

  it('a proof that was made before needs a nonce of its time', async () => {
    const code = await apps.codeFor();
    const foretold = { iat: seconds() + 15 * 60 };
    const early = await proofOf(foretold);
    apps.provider.clock.time += 15 * 60_000;
    for (const dpop of [early, await proofOf({ nonce: 'x' }), await proofOf({ nonce: undefined })]) {
      const refused = await apps.redeem({ code }, { dpop });
      expect(refused).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
      nonce = refused.headers.get('dpop-nonce') ?? '';
    }
    await apps.signInAgain();
    expect((await apps.redeem({ code: await apps.codeFor() }, await proven())).status).toBe(200);
  });

  it('a proof is valid once, also of ten at once', async () => {
    const { access_token } = await boundTokens();
    const proof = await proofOf({ htm: 'GET', htu: USERINFO, ath: hashOf(access_token) });
    const request = { headers: { authorization: `DPoP ${access_token}`, dpop: proof } };
    const replies = await Promise.all(Array.from({ length: 10 }, () => apps.get('/oauth2/userinfo', request)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body['error'] === 'invalid_dpop_proof')).toHaveLength(9);
  });

  it('a code for a key is redeemed by that key alone', async () => {
    const asked = await apps.arrive({ dpop_jkt: await thumbprintOf(own) });
    const code = (await apps.submit(asked)).data['authorization_code'];
    expect((await apps.redeem({ code })).body['error']).toBe('invalid_grant');
    expect((await apps.redeem({ code }, await proven({}, thiefs))).body['error']).toBe('invalid_grant');
    expect((await apps.redeem({ code }, await proven())).status).toBe(200);
    const wrong = await apps.visit('/authorize', { ...asked, scope: 'openid', dpop_jkt: 'short' });
    expect(wrong.location?.searchParams.get('error')).toBe('invalid_request');
  });

  it('a refresh token of a public client is bound, and a thief does not end it', async () => {
    const { refresh_token } = await boundTokens();
    expect((await apps.refresh(refresh_token)).body['error']).toBe('invalid_grant');
    expect((await apps.refresh(refresh_token, {}, await proven({}, thiefs))).body['error']).toBe('invalid_grant');
    const next = await apps.refresh(refresh_token, {}, await proven());
    expect(next.body).toMatchObject({ token_type: 'DPoP' });
    expect((await userinfo(next.body['access_token'])).status).toBe(200);
  });

  soakIt('a confidential client may take another key at a refresh, and sees the binding', async () => {
    const secret = withSecret('server', SECRET);
    const code = await apps.codeFor({ client_id: 'server', scopes: OFFLINE, redirect_uri: CALLBACK });
    const { body } = await apps.redeem({ code, client_id: undefined }, { ...secret, ...(await proven()) });
    const next = await apps.refresh(
      body['refresh_token'],
      { client_id: undefined },
      { ...secret, ...(await proven({}, thiefs)) },
    );
    const seen = await apps.form('/introspect', { token: next.body['access_token'] }, secret);
    expect(seen.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: await thumbprintOf(thiefs) } });
  });

  it('an app that must bind its tokens gets no other', async () => {
    const code = await apps.codeFor({ client_id: 'bound' });
    const refused = await apps.redeem({ code, client_id: 'bound' });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
    expect((await apps.redeem({ code, client_id: 'bound' }, await proven())).body['token_type']).toBe('DPoP');
  });
});
