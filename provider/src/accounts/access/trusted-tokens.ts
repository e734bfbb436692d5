import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, errors, SignJWT, type JSONWebKeySet, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { isVouchedDomain } from '#server-rules/accounts.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { SESSION_CLAIM, type AuthenticationFactor } from '#domain/sessions/session.ts';
import { isRecord } from '#domain/shape.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { PublicKeys } from '#provider/project/readers/public-keys.ts';
import { UnreadJson } from '#provider/project/readers/outside-json.ts';
import { isLocal, type TrustedAuthTokenProfile } from '#provider/project/settings/external/trusted-issuers.ts';
import { verifyJwt } from '#provider/base/security/jwts.ts';
import { tokenHash, uuid } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { issuerKeysOf } from './issuer-keys.ts';

/** A shared secret never verifies one of these, and a public key never another one (RFC 8725, section 3.1). */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const SECRET_ALGORITHMS = ['HS256'];
/** The maximum age of a token, regardless of its `exp`. */
const MAX_AGE_SECONDS = 3600;
const TOLERANCE_SECONDS = 30;
/** The token's type: a token that this server signs for one purpose is rejected for another. */
const LOCAL_TYPE = 'trusted-auth+jwt';
/** The DER header before the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

type TrustedTokenServices = Pick<Services, 'keys' | 'clock' | 'random' | 'project' | 'warn'>;

/** True for an address that the profile's issuer verifies. */
export function vouchesFor(profile: TrustedAuthTokenProfile, email: string): boolean {
  const { email_domains } = profile;
  return (isLocal(profile) && email_domains.length === 0) || isVouchedDomain(email_domains, email);
}

/** The key of a local profile, derived from this server's secret. It is not stored. */
function localKey({ keys }: Pick<Services, 'keys'>, profile: TrustedAuthTokenProfile): KeyObject {
  const seed = hkdfSync('sha256', keys.codeKey, '', `trusted-auth-token ${profile.profile_id}`, 32);
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, Buffer.from(seed)]), format: 'der', type: 'pkcs8' });
}

/** A token for a local profile, as its issuer would make one. */
export async function signTrustedToken(
  services: Pick<Services, 'keys' | 'clock' | 'random'>,
  profile: TrustedAuthTokenProfile,
  email: string,
  minutes: number,
): Promise<string> {
  const now = Math.floor(services.clock.now() / 1000);
  return new SignJWT({ [profile.email_claim]: email, jti: uuid(services.random) })
    .setProtectedHeader({ alg: 'EdDSA', typ: LOCAL_TYPE })
    .setIssuer(profile.issuer)
    .setAudience(profile.audience[0] ?? '')
    .setSubject(email)
    .setIssuedAt(now)
    .setExpirationTime(now + (minutes * MINUTE_MS) / 1000)
    .sign(localKey(services, profile));
}

/** The claims of the token if the profile's issuer signed it for this project and it is fresh, else null. */
export async function trustedClaims(
  services: TrustedTokenServices,
  profile: TrustedAuthTokenProfile,
  token: string,
): Promise<JWTPayload | null> {
  try {
    const claims = await verifiedClaims(services, profile, token);
    return hasClaims(claims, profile) && !isOfDelegate(claims) ? claims : null;
  } catch (error) {
    // The token may be good.
    if (error instanceof UnreadJson) throw new Refusal('service_unavailable', UNREAD_KEYS, RETRY_SECONDS);
    return null;
  }
}

const UNREAD_KEYS = 'The keys of the trusted issuer cannot be read at the moment.';
const RETRY_SECONDS = 30;

async function verifiedClaims(
  services: TrustedTokenServices,
  profile: TrustedAuthTokenProfile,
  token: string,
): Promise<JWTPayload> {
  const { audience, jwks, jwks_uri, public_key, shared_secret } = profile;
  const options: JWTVerifyOptions = {
    algorithms: ALGORITHMS,
    issuer: profile.issuer,
    ...(audience.length === 0 ? {} : { audience: [...audience] }),
    currentDate: new Date(services.clock.now()),
    clockTolerance: TOLERANCE_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    requiredClaims: ['exp', 'iat'],
  };
  const byKeys = async (keys: PublicKeys): Promise<JWTPayload> =>
    (await verifyJwt(token, createLocalJWKSet(keys as unknown as JSONWebKeySet), options)).payload;
  if (jwks !== null) return byKeys(jwks);
  if (jwks_uri !== null) {
    const keys = issuerKeysOf(profile);
    return byKeys(await keys.current(services)).catch(async (error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return byKeys(await keys.read(services));
      throw error;
    });
  }
  if (public_key !== null) return (await verifyJwt(token, createPublicKey(public_key), options)).payload;
  if (shared_secret !== null) {
    const key = new TextEncoder().encode(shared_secret);
    return (await verifyJwt(token, key, { ...options, algorithms: SECRET_ALGORITHMS })).payload;
  }
  const key = createPublicKey(localKey(services, profile));
  return (await verifyJwt(token, key, { ...options, algorithms: ['EdDSA'], typ: LOCAL_TYPE })).payload;
}

/** The value of a claim by its name, or by a JSON pointer into one (RFC 6901); null for none. */
export function claimAt(token: Readonly<Record<string, unknown>>, name: string): unknown {
  const path = name.startsWith('/') ? name.slice(1).split('/') : [name];
  let value: unknown = token;
  for (const part of path) {
    const key = name.startsWith('/') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : null;
  }
  return value;
}

/** Whether each claim that the profile names has one of its values. */
function hasClaims(token: JWTPayload, { claims }: TrustedAuthTokenProfile): boolean {
  return Object.entries(claims).every(([name, values]) => values.some((value) => value === claimAt(token, name)));
}

/** True for the token of somebody who acts for the user: by RFC 8693, section 4.1, or by the session claim of this wire. */
function isOfDelegate({ act, [SESSION_CLAIM]: session }: JWTPayload): boolean {
  if (act !== undefined) return true;
  const factors: unknown = isRecord(session) ? session['authentication_factors'] : undefined;
  if (!Array.isArray(factors)) return false;
  return isImpersonated({ authentication_factors: factors.filter(isRecord) as unknown as AuthenticationFactor[] });
}

/**
 * Uses the token up (RFC 7519, section 4.1.7). True for only one caller, until the token expires. A token without `jti` of an issuer that
 * stays is accepted until it expires. That of an old system is known by its content: one content can have several signatures.
 */
export async function useTrustedToken(
  tx: Db,
  { issuer, migration_ends_at }: Pick<TrustedAuthTokenProfile, 'issuer' | 'migration_ends_at'>,
  { jti, exp = 0, iat = 0 }: JWTPayload,
  token: string,
): Promise<boolean> {
  if (jti === undefined && migration_ends_at === null) return true;
  const id = jti ?? ['content', token.slice(0, token.lastIndexOf('.'))];
  const lastsUntil = Math.min(exp, iat + MAX_AGE_SECONDS) + TOLERANCE_SECONDS;
  const first = await tx
    .insertInto('used_trusted_tokens')
    .values({ token_key: tokenHash(JSON.stringify([issuer, id])), expires_at: new Date((lastsUntil + 1) * 1000) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst();
  return first !== undefined;
}
