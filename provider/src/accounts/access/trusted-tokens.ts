import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { createLocalJWKSet, SignJWT, type JSONWebKeySet, type JWTPayload } from 'jose';
import { isVouchedDomain } from '../../../../server-rules/accounts.ts';
import type { Db } from '../../base/db/database.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import type { TrustedAuthTokenProfile } from '../../project/settings/access.ts';
import { verifyJwt } from '../../base/security/jwts.ts';
import { tokenHash, uuid } from '../../base/security/secrets.ts';
import type { Services } from '../services.ts';

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
/** The maximum age of a token, regardless of its `exp`. */
const MAX_AGE_SECONDS = 3600;
const TOLERANCE_SECONDS = 30;
/** The token's type: a token that this server signs for one purpose is rejected for another. */
const LOCAL_TYPE = 'trusted-auth+jwt';
/** The DER header before the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

type TrustedTokenServices = Pick<Services, 'keys' | 'clock' | 'random'>;

/** True for a profile without an issuer's key: it accepts tokens that this server's operator signs. */
export function isLocal(profile: TrustedAuthTokenProfile): boolean {
  return profile.jwks === null && profile.public_key === null;
}

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
  services: TrustedTokenServices,
  profile: TrustedAuthTokenProfile,
  email: string,
  minutes: number,
): Promise<string> {
  const now = Math.floor(services.clock.now() / 1000);
  return new SignJWT({ [profile.email_claim]: email, jti: uuid(services.random) })
    .setProtectedHeader({ alg: 'EdDSA', typ: LOCAL_TYPE })
    .setIssuer(profile.issuer)
    .setAudience(profile.audience)
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
  const options = {
    algorithms: ALGORITHMS,
    issuer: profile.issuer,
    audience: profile.audience,
    currentDate: new Date(services.clock.now()),
    clockTolerance: TOLERANCE_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    requiredClaims: ['exp', 'iat'],
  };
  try {
    if (profile.jwks !== null) {
      const keys = createLocalJWKSet(profile.jwks as unknown as JSONWebKeySet);
      return (await verifyJwt(token, keys, options)).payload;
    }
    if (profile.public_key !== null) {
      return (await verifyJwt(token, createPublicKey(profile.public_key), options)).payload;
    }
    const key = createPublicKey(localKey(services, profile));
    return (await verifyJwt(token, key, { ...options, algorithms: ['EdDSA'], typ: LOCAL_TYPE })).payload;
  } catch {
    return null;
  }
}

/**
 * Uses the token up (RFC 7519, section 4.1.7). True for only one caller, until the token expires. Tokens without `jti` cannot be told
 * apart, so such a token is accepted until it expires.
 */
export async function useTrustedToken(
  tx: Db,
  { issuer }: Pick<TrustedAuthTokenProfile, 'issuer'>,
  { jti, exp = 0, iat = 0 }: JWTPayload,
): Promise<boolean> {
  if (jti === undefined) return true;
  const lastsUntil = Math.min(exp, iat + MAX_AGE_SECONDS) + TOLERANCE_SECONDS;
  const first = await tx
    .insertInto('used_trusted_tokens')
    .values({ token_key: tokenHash(JSON.stringify([issuer, jti])), expires_at: new Date((lastsUntil + 1) * 1000) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_key')
    .executeTakeFirst();
  return first !== undefined;
}
