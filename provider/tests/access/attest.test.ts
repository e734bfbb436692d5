import { createHash } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, type Fields, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'portico-here';

const rsa = await generateKeyPair('RS256', { extractable: true });
const ec = await generateKeyPair('ES256', { extractable: true });
const ed = await generateKeyPair('EdDSA', { extractable: true });
const stranger = await generateKeyPair('RS256');

const base = { issuer: ISSUER, audience: AUDIENCE, email_domains: ['example.com'] };
const project = projectFrom({
  trusted_auth_token_profiles: [
    {
      ...base,
      profile_id: 'jwks',
      jwks: {
        keys: [
          { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256' },
          { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256' },
        ],
      },
    },
    { ...base, profile_id: 'pem', public_key: await exportSPKI(ed.publicKey), email_claim: 'mail' },
    { ...base, profile_id: 'ids', public_key: await exportSPKI(rsa.publicKey), user_id_claim: 'sub' },
    { ...base, profile_id: 'known', public_key: await exportSPKI(rsa.publicKey), creates_users: false },
    { ...base, profile_id: 'local' },
    { ...base, profile_id: 'other-local' },
  ],
});

describe.each(EITHER_DATABASE)('attesting a session on %s', (_, url) => {
  const provider = suiteProvider(url, { project });

  interface TokenOptions {
    readonly claims?: Fields;
    readonly key?: CryptoKey;
    readonly header?: { readonly alg: string; readonly kid?: string; readonly typ?: string };
    readonly drop?: string;
  }

  async function make({
    claims = {},
    key = rsa.privateKey,
    header = { alg: 'RS256', kid: 'rsa' },
    drop,
  }: TokenOptions = {}) {
    const now = Math.floor(provider.clock.time / 1000);
    const payload: Fields = {
      iss: ISSUER,
      aud: AUDIENCE,
      iat: now,
      exp: now + 300,
      email: 'vera@example.com',
      ...claims,
    };
    if (drop !== undefined) delete payload[drop];
    return new SignJWT(payload).setProtectedHeader(header).sign(key);
  }

  const attest = (profile_id: string, token: string, fields: Fields = {}, session?: string) =>
    provider.post('/sessions/attest', { profile_id, token, ...fields }, session === undefined ? {} : { session });

  it('makes a user and a session of an hour for an address that the issuer vouches for', async () => {
    const { status, data } = await attest('jwks', await make({ claims: { jti: 'one' } }));
    expect(status).toBe(200);
    expect(data['user']).toMatchObject({ status: 'active', emails: [{ email: 'vera@example.com', verified: true }] });
    expect(data['session'].authentication_factors).toMatchObject([
      {
        type: 'trusted_auth_token',
        delivery_method: 'trusted_token_exchange',
        trusted_auth_token_factor: { profile_id: 'jwks', token_id: 'one' },
      },
    ]);
    expect(Date.parse(data['session'].expires_at) - provider.clock.time).toBe(60 * MINUTE);
    const again = await attest('jwks', await make(), { session_duration_minutes: 5 });
    expect(again.data['user_id']).toBe(data['user_id']);
    expect(Date.parse(again.data['session'].expires_at) - provider.clock.time).toBe(5 * MINUTE);
  });

  soakIt('takes each token once, until it has expired, and whatever else of its issuer has no jti', async () => {
    const token = await make({ claims: { jti: 'once' } });
    const replies = await Promise.all(Array.from({ length: 20 }, () => attest('jwks', token)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body['error_type'] === 'invalid_trusted_auth_token')).toHaveLength(19);
    expect((await attest('jwks', await make({ claims: { jti: 'once', email: 'eve@example.com' } }))).status).toBe(401);
    expect((await attest('jwks', await make({ claims: { jti: 'twice' } }))).status).toBe(200);
    const anonymous = await make();
    expect((await attest('jwks', anonymous)).status).toBe(200);
    expect((await attest('jwks', anonymous)).status).toBe(200);
    await sweep(provider.services);
    expect((await attest('jwks', token)).status).toBe(401);
    const kept = () => provider.services.db.selectFrom('used_trusted_tokens').select('token_key').execute();
    expect(await kept()).not.toEqual([]);
    await sweep({ ...provider.services, clock: { now: () => provider.clock.time + 70 * MINUTE } });
    expect(await kept()).toEqual([]);
  });

  it('does not use up a token that names no user yet', async () => {
    const token = await make({ claims: { jti: 'early', email: 'early@example.com' } });
    expect((await attest('known', token)).status).toBe(401);
    await provider.signIn('early@example.com');
    expect((await attest('known', token)).status).toBe(200);
  });

  it('takes RS256, ES256 and EdDSA, by key set or by PEM', async () => {
    expect((await attest('jwks', await make({ key: ec.privateKey, header: { alg: 'ES256', kid: 'ec' } }))).status).toBe(
      200,
    );
    const mail = { mail: 'ed@example.com' };
    const reply = await attest('pem', await make({ key: ed.privateKey, header: { alg: 'EdDSA' }, claims: mail }));
    expect(reply.data['user'].emails[0].email).toBe('ed@example.com');
  });

  it('finds the user by an id claim where the profile has one', async () => {
    const user = await provider.signIn('ida@example.com');
    const sub = user['user_id'];
    expect((await attest('ids', await make({ claims: { sub } }))).data['user_id']).toBe(sub);
    expect((await attest('ids', await make({ claims: { sub: 'user-test-none' } }))).status).toBe(401);
    expect((await attest('ids', await make())).data['user'].emails[0].email).toBe('vera@example.com');
  });

  it('makes no user if the profile forbids it', async () => {
    expect((await attest('known', await make({ claims: { email: 'new@example.com' } }))).status).toBe(401);
    await provider.signIn('vera@example.com');
    expect((await attest('known', await make())).status).toBe(200);
  });

  it('ends the session that is passed along, and joins no session', async () => {
    const before = await provider.signIn('vera@example.com');
    const { data } = await attest(
      'jwks',
      await make(),
      { session_token: before['session_token'] },
      before['session_token'],
    );
    expect(data['session'].session_id).not.toBe(before['session'].session_id);
    const old = await provider.call('GET', '/users/me', undefined, { session: before['session_token'] });
    expect(old.body['error_type']).toBe('unauthorized_credentials');
    const kept = await provider.signIn('vera@example.com');
    await attest('jwks', await make({ key: stranger.privateKey }), { session_token: kept['session_token'] });
    expect((await provider.call('GET', '/users/me', undefined, { session: kept['session_token'] })).status).toBe(200);
  });

  const now = () => Math.floor(provider.clock.time / 1000);
  const hs256 = async () => {
    const secret = createHash('sha256')
      .update(await exportSPKI(rsa.publicKey))
      .digest();
    const payload = { iss: ISSUER, aud: AUDIENCE, iat: now(), exp: now() + 300, email: 'vera@example.com' };
    return new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(secret);
  };
  const unsigned = () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part({ iss: ISSUER, aud: AUDIENCE, iat: now(), exp: now() + 300 })}.`;
  };

  it.each<[string, () => Promise<string> | string]>([
    ['of another key', () => make({ key: stranger.privateKey })],
    ['of another issuer', () => make({ claims: { iss: 'https://evil.example' } })],
    ['for another audience', () => make({ claims: { aud: 'elsewhere' } })],
    ['that has expired', () => make({ claims: { iat: now() - 400, exp: now() - 100 } })],
    ['from the future', () => make({ claims: { iat: now() + 600, exp: now() + 900 } })],
    ['that is older than an hour', () => make({ claims: { iat: now() - 3700 } })],
    ['without exp', () => make({ drop: 'exp' })],
    ['without iat', () => make({ drop: 'iat' })],
    ['without aud', () => make({ drop: 'aud' })],
    ['without an address', () => make({ drop: 'email' })],
    [
      'with an address of a domain that the issuer does not vouch for',
      () => make({ claims: { email: 'a@other.example' } }),
    ],
    ['with an address of a subdomain', () => make({ claims: { email: 'ada@sub.example.com' } })],
    ['with an address that the issuer did not check', () => make({ claims: { email_verified: false } })],
    ['signed with the public key as a secret', hs256],
    ['without a signature', unsigned],
    ['that is a session of this server', async () => (await provider.signIn('vera@example.com'))['session_jwt']],
    ['that is no token', () => 'x'],
    ['with NUL for an address', () => make({ claims: { email: 'a\0@example.com' } })],
  ])('refuses a token %s', async (_kind, token) => {
    const { body } = await attest('jwks', await token());
    expect(body).toMatchObject({ status_code: 401, error_type: 'invalid_trusted_auth_token' });
  });

  it('refuses an address in a spelling that would become the address of another mailbox', async () => {
    const { status, body } = await attest('jwks', await make({ claims: { email: 'u\u0308nal@example.com' } }));
    expect([status, body['error_type']]).toEqual([400, 'invalid_email']);
  });

  it('refuses an algorithm that is not on its list, whatever the key could do', async () => {
    const key = (await importJWK(await exportJWK(rsa.privateKey), 'RS512')) as CryptoKey;
    expect((await attest('ids', await make({ key, header: { alg: 'RS512' } }))).status).toBe(401);
    expect((await attest('ids', await make({ header: { alg: 'RS256' } }))).status).toBe(200);
  });

  it('refuses an unknown profile', async () => {
    const { body } = await attest('none', await make());
    expect(body).toMatchObject({ status_code: 404, error_type: 'trusted_auth_token_profile_not_found' });
  });

  it('accepts a token that the operator signed for a profile without keys, and only for that profile', async () => {
    const sign = async (profile: string) =>
      (await administer(provider.services, 'trusted-token', { profile, email: 'lena@example.com' })).token;
    const token = await sign('local');
    const { data } = await attest('local', token);
    expect(data['user'].emails[0].email).toBe('lena@example.com');
    expect((await attest('other-local', token)).status).toBe(401);
    expect((await attest('local', data['session_jwt'])).status).toBe(401);
    await expect(sign('jwks')).rejects.toThrow('only the issuer can sign');
    await expect(sign('none')).rejects.toThrow('no trusted-auth-token profile');
  });
});
