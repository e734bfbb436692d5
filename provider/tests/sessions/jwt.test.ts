import { constants, KeyObject, sign as rsaSign } from 'node:crypto';
import {
  CompactSign,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWTHeaderParameters,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingKey, verificationKey } from '#provider/base/security/signing-keys.ts';
import { ANY_DATABASE, type Fields } from '../kit/harness.ts';
import { makeApps, OFFLINE, type Apps } from '../kit/idp-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

const CLAIM = 'https://stytch.com/session';
const utf8 = new TextEncoder();
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const stranger = await generateKeyPair('RS256', { extractable: true });

/** RFC 8725: what a JWT must not get away with, in place of a session. */
describe('the JWT of a session', () => {
  let apps: Apps;
  let good: Fields;
  beforeAll(async () => {
    apps = await makeApps(ANY_DATABASE);
    const { services } = apps.provider;
    const signing = await signingKey(services, 'sessions');
    const publicKey = await verificationKey(services, 'sessions', signing.kid);
    key = () => ({ ...signing, publicKey });
    const [, payload = ''] = String(apps.signedIn.user['session_jwt']).split('.');
    good = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Fields;
  });
  afterAll(() => apps.provider.close());

  let key: () => { readonly kid: string; readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
  const sign = (change: Fields = {}, header: Partial<JWTHeaderParameters> = {}, privateKey = key().privateKey) => {
    const claims = Object.fromEntries(
      Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key().kid, ...header })
      .sign(privateKey);
  };
  const claimOf = (change: Fields): Fields => ({ ...(good[CLAIM] as Fields), ...change });
  /** As `sign`, for headers that an honest library does not write. */
  const signRaw = (header: object, options: object = {}): string => {
    const signed = `${part(header)}.${part(good)}`;
    const signature = rsaSign('sha256', Buffer.from(signed), { key: KeyObject.from(key().privateKey), ...options });
    return `${signed}.${signature.toString('base64url')}`;
  };
  const answer = async (session: string) => (await apps.provider.call('GET', '/users/me', undefined, { session })).body;

  it('is accepted as it was made', async () => {
    expect((await answer(await sign()))['data'].user_id).toBe(good['sub']);
  });

  const seconds = () => Math.floor(apps.provider.clock.time / 1000);
  it.each<[string, () => Promise<string> | string]>([
    ['without a signature', () => `${part({ alg: 'none' })}.${part(good)}.`],
    ['without a signature, spelt otherwise', () => `${part({ alg: 'nOnE' })}.${part(good)}.`],
    ['without an algorithm', async () => `${part({ typ: 'JWT' })}.${(await sign()).split('.').slice(1).join('.')}`],
    ['with an empty signature', async () => `${(await sign()).split('.').slice(0, 2).join('.')}.`],
    [
      'with a signature of zeros',
      async () => `${(await sign()).split('.').slice(0, 2).join('.')}.${Buffer.alloc(256).toString('base64url')}`,
    ],
    ['of a stranger', () => sign({}, {}, stranger.privateKey)],
    [
      'of a stranger who brings the key along',
      async () => sign({}, { jwk: await exportJWK(stranger.publicKey) }, stranger.privateKey),
    ],
    [
      'of a stranger who says where the key is',
      () => sign({}, { jku: 'https://evil.example/jwks', kid: '../../dev/null' }, stranger.privateKey),
    ],
    [
      'by the public key as a secret',
      async () =>
        new SignJWT(good).setProtectedHeader({ alg: 'HS256' }).sign(utf8.encode(await exportSPKI(key().publicKey))),
    ],
    ['by another algorithm of the same key', () => signRaw({ alg: 'PS256', kid: key().kid }, PSS)],
    ['with a header that must be understood', () => signRaw({ alg: 'RS256', crit: ['magic'], magic: true })],
    ['whose payload is not encoded', () => signRaw({ alg: 'RS256', b64: false, crit: ['b64'] })],
    ['of a key that it does not name', () => sign({}, { kid: undefined })],
    ['of a type that is another’s', () => sign({}, { typ: 'at+jwt' })],
    ['of no type', () => sign({}, { typ: undefined })],
    ['of another issuer', () => sign({ iss: 'stytch.com/project-test-other' })],
    ['of no issuer', () => sign({ iss: undefined })],
    ['for another project', () => sign({ aud: ['project-test-other'] })],
    ['for nobody', () => sign({ aud: undefined })],
    ['that has expired, by more than clocks may differ', () => sign({ exp: seconds() - 30 })],
    ['of a generation that is none', () => sign({ [CLAIM]: claimOf({ generation: '1' }) })],
    ['of another generation', () => sign({ [CLAIM]: claimOf({ generation: 2 }) })],
    [
      'of another generation, as older versions wrote it',
      () => sign({ generation: 2, [CLAIM]: claimOf({ generation: undefined }) }),
    ],
    ['that never expires', () => sign({ exp: undefined })],
    ['that expires in words', () => sign({ exp: '2040-01-01' })],
    ['that has not begun', () => sign({ nbf: seconds() + 60 })],
    ['of no user', () => sign({ sub: undefined })],
    ['of no session', () => sign({ [CLAIM]: undefined })],
    ['of a session in a list', () => sign({ [CLAIM]: [good[CLAIM]] })],
    ['of a session whose id is no text', () => sign({ [CLAIM]: { id: { $ne: '' } } })],
    ['of a session that nobody has', () => sign({ [CLAIM]: { id: 'session-test-none' } })],
    [
      'around something else',
      async () => new CompactSign(utf8.encode('"session"')).setProtectedHeader({ alg: 'RS256' }).sign(key().privateKey),
    ],
    [
      'that is no JSON',
      async () => new CompactSign(utf8.encode('{')).setProtectedHeader({ alg: 'RS256' }).sign(key().privateKey),
    ],
    ['with a part more', async () => `${await sign()}.${part({})}`],
    ['with padding', async () => (await sign()).replaceAll('.', '=.')],
    ['of 30 kB', () => `${'a'.repeat(10_000)}.${'b'.repeat(10_000)}.${'c'.repeat(10_000)}`.slice(0, 12_000)],
    ['of dots', () => '..'],
  ])('is refused %s', async (_, make) => {
    expect(await answer(await make())).toMatchObject({ status_code: 401, error_type: 'unauthorized_credentials' });
  });

  soakIt('cannot be replaced by an access token or an ID token of an app', async () => {
    const { access_token, id_token } = await apps.tokensFor(OFFLINE);
    for (const token of [access_token, id_token]) {
      expect(await answer(String(token))).toMatchObject({ error_type: 'unauthorized_credentials' });
    }
    expect((await apps.userinfo(await sign())).status).toBe(401);
  });
});
