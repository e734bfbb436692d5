import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import {
  CALLBACK,
  ISSUER,
  makeApps,
  OFFLINE,
  relyingParty,
  SETTINGS,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const TOKEN_ENDPOINT = `${ISSUER}/oauth2/token`;
const own = await generateKeyPair('ES256', { extractable: true });
const foreign = await generateKeyPair('ES256', { extractable: true });
const signerOf = async (pair: { readonly publicKey: CryptoKey }, kid: string) => ({
  client_id: kid,
  client_type: 'confidential',
  jwks: { keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256' }] },
  name: 'Signer',
  redirect_uris: [CALLBACK],
  scopes: ['openid', 'email', 'offline_access'],
});
const CLIENTS = [...SETTINGS.clients, await signerOf(own, 'signer'), await signerOf(foreign, 'foreign')];

describe.each(EITHER_DATABASE)('a client that signs (RFC 7523), on %s', (_, url) => {
  let apps: Apps;
  let jtis = 0;
  beforeAll(async () => {
    apps = await makeApps(url, { clients: CLIENTS });
  });
  afterAll(() => apps.provider.close());

  const seconds = () => Math.floor(apps.provider.clock.time / 1000);
  const sign = (changes: JWTPayload = {}, key: CryptoKey = own.privateKey, header: object = {}) => {
    const claims = { iss: 'signer', sub: 'signer', aud: ISSUER, jti: `jti-${(jtis += 1)}`, exp: seconds() + 60 };
    const given = Object.fromEntries(
      Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(given).setProtectedHeader({ alg: 'ES256', kid: 'signer', ...header }).sign(key);
  };
  const asked = async (assertion: string, fields: Fields = {}, headers: Record<string, string> = {}) =>
    apps.form(
      '/introspect',
      { token: 'x', client_assertion_type: TYPE, client_assertion: assertion, ...fields },
      headers,
    );
  const REFUSED = { status: 401, body: { error: 'invalid_client' } };

  it.each([{ a: 1 }, ['signer'], 5, true, null, '\0'])(
    'is refused as unknown where its assertion names %j',
    async (sub) => {
      const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
      const assertion = `${part({ alg: 'ES256' })}.${part({ iss: sub, sub })}.c2ln`;
      for (const path of ['/token', '/par', '/introspect', '/revoke', '/device_authorization']) {
        const fields = { client_assertion_type: TYPE, client_assertion: assertion, token: 'x' };
        expect(await apps.form(path, fields), path).toMatchObject(REFUSED);
      }
      expect(apps.provider.traces).toEqual([]);
    },
  );

  it('signs its users in, like an independent client library', async () => {
    const party = await relyingParty(
      apps.provider,
      'signer',
      client.PrivateKeyJwt({ key: own.privateKey, kid: 'signer' }),
    );
    expect(party.serverMetadata().token_endpoint_auth_methods_supported).toContain('private_key_jwt');
    apps.provider.clock.time = Date.now();
    await apps.signInAgain();
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
    const { data } = await apps.submit({ client_id: 'signer', scopes: OFFLINE, code_challenge });
    const tokens = await client.authorizationCodeGrant(party, new URL(data['redirect_uri']), { pkceCodeVerifier });
    const refreshed = await client.refreshTokenGrant(party, tokens.refresh_token ?? '');
    expect(await client.tokenIntrospection(party, refreshed.access_token)).toMatchObject({ active: true });
    await client.tokenRevocation(party, refreshed.refresh_token ?? '');
    expect(await client.tokenIntrospection(party, refreshed.access_token)).toEqual({ active: false });
  });

  it('may name the token endpoint, and its id beside the assertion', async () => {
    expect((await asked(await sign({ aud: TOKEN_ENDPOINT }))).status).toBe(200);
    expect((await asked(await sign({ aud: [ISSUER] }), { client_id: 'signer' })).status).toBe(200);
  });

  it.each<[string, () => Promise<string>]>([
    ['another client’s key', () => sign({}, foreign.privateKey)],
    ['another client’s key under its id', () => sign({}, foreign.privateKey, { kid: 'foreign' })],
    ['another client’s name', () => sign({ iss: 'foreign', sub: 'foreign' })],
    ['another issuer', () => sign({ iss: 'foreign' })],
    ['another subject', () => sign({ sub: 'planner' })],
    ['another audience', () => sign({ aud: 'https://login.evil.example' })],
    ['an audience that shares it', () => sign({ aud: [ISSUER, 'https://login.evil.example'] })],
    ['no audience', () => sign({ aud: undefined })],
    ['no id', () => sign({ jti: undefined })],
    ['an id that is no text', () => sign({ jti: 1 as unknown as string })],
    ['no end', () => sign({ exp: undefined })],
    ['an end that is past', () => sign({ exp: seconds() - 31 })],
    ['an end that is far', () => sign({ exp: seconds() + 11 * 60 })],
    ['a begin that is to come', () => sign({ nbf: seconds() + 60 })],
    ['the id of a client without keys', () => sign({ iss: 'server', sub: 'server' })],
    ['the id of a public client', () => sign({ iss: 'planner', sub: 'planner' })],
    ['an id that cannot be stored', () => sign({ iss: 'a\u0000', sub: 'a\u0000' })],
    ['no signature', () => Promise.resolve(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`)],
    ['no JWT', () => Promise.resolve('x')],
    [
      'its public key as a secret',
      async () => {
        const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(own.publicKey)));
        const claims = { iss: 'signer', sub: 'signer', aud: ISSUER, jti: 'confused', exp: seconds() + 60 };
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
      },
    ],
  ])('is not taken for %s', async (_why, assertion) => {
    expect(await asked(await assertion())).toMatchObject(REFUSED);
  });

  it('proves itself in one way alone', async () => {
    const invalid = { status: 400, body: { error: 'invalid_request' } };
    expect(await asked(await sign(), { client_secret: 'x' })).toMatchObject(invalid);
    expect(await asked(await sign(), {}, withSecret('signer', 'x'))).toMatchObject(invalid);
    expect(await asked(await sign(), { client_id: 'planner' })).toMatchObject(invalid);
    expect(await asked(await sign(), { client_assertion_type: undefined })).toMatchObject(invalid);
    expect(await asked(await sign(), { client_assertion: undefined })).toMatchObject(invalid);
    expect(await apps.form('/introspect', { token: 'x' }, withSecret('signer', ''))).toMatchObject(REFUSED);
    await expect(administer(apps.provider.services, 'client-secret', { client: 'signer' })).rejects.toThrow(
      'no secret',
    );
  });

  it('an assertion is valid once, also of ten at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const assertion = await sign();
      const replies = await Promise.all(Array.from({ length: 10 }, () => asked(assertion)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 401)).toHaveLength(9);
      // Also near its end, where another machine's clock is late.
      expect((await asked(assertion)).status).toBe(401);
    }
  });

  soakIt('the same id of another client is another assertion', async () => {
    expect((await asked(await sign({ jti: 'shared' }))).status).toBe(200);
    const others = { iss: 'foreign', sub: 'foreign', jti: 'shared' };
    expect((await asked(await sign(others, foreign.privateKey, { kid: 'foreign' }))).status).toBe(200);
  });
});
