import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { SigningKey } from '#provider/base/security/signing-key-rows.ts';
import type { Fields } from '../kit/harness.ts';

/** What a server may answer to a token that it must refuse. An unknown key may be one that is new. */
const REFUSED = [401];
const UNKNOWN_KEY = [401, 503];

/** A token that its signer did not issue, or not for this server. */
export interface ForgedToken {
  readonly title: string;
  readonly token: string;
  readonly statuses: readonly number[];
}

/** A good token, and the key that signed it. */
export interface Sample {
  readonly token: string;
  readonly key: SigningKey;
}

const coded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
export const seconds = (): number => Math.floor(Date.now() / 1000);
const STRANGER = generateKeyPairSync('rsa', { modulusLength: 2048 });

function signed(header: Fields, claims: Fields, key: KeyObject, hash = 'sha256'): string {
  const text = `${coded(header)}.${coded(claims)}`;
  return `${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`;
}

/** The token with these claims and members of the header instead, signed by the same key. What is undefined is left out. */
export function changed({ token, key }: Sample, claims: Fields, header: Fields = {}): string {
  return signed(
    { ...decodeProtectedHeader(token), ...header },
    { ...decodeJwt<Fields>(token), ...claims },
    key.keyObject,
  );
}

/** Tokens that everybody could write. */
function ofStrangers({ token, key }: Sample): readonly ForgedToken[] {
  const header = decodeProtectedHeader(token);
  const claims = decodeJwt<Fields>(token);
  const [, body = '', signature = ''] = token.split('.');
  const unsigned = (alg: string) => `${coded({ ...header, alg })}.${body}.`;
  const published = createPublicKey(key.keyObject);
  const withSecret = (secret: string | Buffer): string => {
    const text = `${coded({ ...header, alg: 'HS256' })}.${body}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const own = STRANGER.publicKey.export({ format: 'jwk' });
  const by = (more: Fields): string => signed({ ...header, ...more }, claims, STRANGER.privateKey);
  const refused = {
    'no token at all': '',
    'three empty parts': '..',
    'no JSON': 'a.b.c',
    'five parts': `${token}.a.b`,
    'unsigned, alg none': unsigned('none'),
    'unsigned, alg nOnE': unsigned('nOnE'),
    'unsigned, alg RS256': `${coded(header)}.${body}.`,
    'HS256 with the public key as PEM': withSecret(published.export({ type: 'spki', format: 'pem' })),
    'HS256 with the public key as DER': withSecret(published.export({ type: 'spki', format: 'der' })),
    'RS512 by the right key': signed({ ...header, alg: 'RS512' }, claims, key.keyObject, 'sha512'),
    'another user under the signature': `${coded(header)}.${coded({ ...claims, sub: 'user-of-another' })}.${signature}`,
    'another key with the kid of the right one': by({}),
    'another key, sent along': by({ jwk: own }),
    'no kid': changed({ token, key }, {}, { kid: undefined }),
    'a kid that is a list': changed({ token, key }, {}, { kid: [header.kid] }),
  };
  const unknown = {
    'a kid that nobody published': by({ kid: 'invented' }),
    'a kid that is a number': changed({ token, key }, {}, { kid: 7 }),
    'a key of its own address': by({ kid: 'own', jku: 'http://127.0.0.1:9/jwks.json', jwk: own }),
  };
  return [...forged(refused, REFUSED), ...forged(unknown, UNKNOWN_KEY)];
}

const forged = (tokens: Readonly<Record<string, string>>, statuses: readonly number[]): readonly ForgedToken[] =>
  Object.entries(tokens).map(([title, token]) => ({ title, token, statuses }));

/** Tokens of the right key for another purpose or time. */
function ofTheKey(sample: Sample, audience: string): readonly ForgedToken[] {
  const now = seconds();
  const later = now + 600;
  const tokens = {
    expired: changed(sample, { iat: now - 600, nbf: now - 600, exp: now - 60 }),
    'not valid yet': changed(sample, { iat: later, nbf: later, exp: later + 300 }),
    'no end': changed(sample, { exp: undefined }),
    'no time of issue': changed(sample, { iat: undefined }),
    'no user': changed(sample, { sub: undefined }),
    'another audience': changed(sample, { aud: [`${audience}-of-another`] }),
    'an audience that begins with the right one': changed(sample, { aud: `${audience}/` }),
    'no audience': changed(sample, { aud: undefined }),
    'another issuer': changed(sample, { iss: 'https://login.evil.example' }),
    'no issuer': changed(sample, { iss: undefined }),
    'another type': changed(sample, {}, { typ: 'logout+jwt' }),
    'no type': changed(sample, {}, { typ: undefined }),
  };
  return forged(tokens, REFUSED);
}

const SESSION = 'https://stytch.com/session';

/** Whatever a guard of sessions must refuse. `others` are real tokens of the project for other purposes. */
export function forgedSessions(sample: Sample, others: Readonly<Record<string, string>>): readonly ForgedToken[] {
  const claims = decodeJwt<Fields>(sample.token);
  const partial = { ...(claims[SESSION] as Fields), partial: true };
  const tokens = {
    ...others,
    'no session in it': changed(sample, { [SESSION]: undefined }),
    'a session that is a text': changed(sample, { [SESSION]: 'session' }),
    'a part of a session': changed(sample, { [SESSION]: partial }),
    'typ of access tokens': changed(sample, {}, { typ: 'at+jwt' }),
  };
  const [audience = ''] = [claims['aud'] as string | string[]].flat();
  return [...ofStrangers(sample), ...ofTheKey(sample, audience), ...forged(tokens, REFUSED)];
}

/** Whatever a guard of access tokens must refuse. */
export function forgedAccess(sample: Sample, others: Readonly<Record<string, string>>): readonly ForgedToken[] {
  const audience = String(decodeJwt(sample.token).aud);
  const tokens = {
    ...others,
    'for two APIs': changed(sample, { aud: [audience, 'https://other.example/api'] }),
    'bound to a key': changed(sample, { cnf: { jkt: 'thumbprint' } }),
    'of no app': changed(sample, { client_id: undefined }),
    'typ of sessions': changed(sample, {}, { typ: 'JWT' }),
  };
  const few = {
    'no scope': changed(sample, { scope: undefined }),
    'another scope': changed(sample, { scope: 'openid' }),
    'a scope that begins with the right one': changed(sample, { scope: 'notes:readers' }),
  };
  return [...ofStrangers(sample), ...ofTheKey(sample, audience), ...forged(tokens, REFUSED), ...forged(few, [403])];
}
