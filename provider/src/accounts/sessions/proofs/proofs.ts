import { createHash, createHmac } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, type JWTPayload } from 'jose';
import { parsedUrl } from '#domain/rules/redirects.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { verifyJwt } from '#provider/base/security/jwts.ts';
import { sameSecret } from '#provider/base/security/secrets.ts';
import type { Services } from '../../services.ts';
import { spendOnce, type OneTimeToken } from './spend-once.ts';

/** Proof of possession (RFC 9449): stolen bound tokens are rejected without the key. */

export const PROOF_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'];

const TOLERANCE_SECONDS = 60;
const NONCE_MS = 5 * MINUTE_MS;

type ProofServices = Pick<Services, 'clock' | 'keys'>;

/** The request that the proof must be for. */
export interface ProofTarget {
  readonly method: string;
  /** The URL of the request without query and fragment. */
  readonly url: string;
  /** The token that comes with the proof. */
  readonly accessToken?: string;
  /**
   * Whether the proof's own time must be current. Programs have correct clocks. People's browsers often do not, so for them only the nonce
   * shows the time.
   */
  readonly isTimed: boolean;
}

/** A proof that is valid for its request and not used up yet. */
export interface GoodProof {
  /** The thumbprint of its key. */
  readonly jkt: string;
  readonly use: OneTimeToken;
}

/** Why a proof is rejected. */
type JudgedProof =
  | GoodProof
  /** `nonce`: the proof lacks the current nonce, and the client may try again with it. */
  | { readonly fault: 'nonce' | 'invalid'; readonly message: string };

function nonceAt({ keys }: Pick<Services, 'keys'>, window: number): string {
  return createHmac('sha256', keys.codeKey).update(`dpop nonce\n${window}`).digest('base64url');
}

/** The nonce for the next proof. Every server of the project makes the same one, valid for five to ten minutes. */
export function currentNonce(services: Pick<Services, 'keys' | 'clock'>): string {
  return nonceAt(services, Math.floor(services.clock.now() / NONCE_MS));
}

function isOurNonce(services: Pick<Services, 'keys' | 'clock'>, nonce: unknown): boolean {
  if (typeof nonce !== 'string') return false;
  const window = Math.floor(services.clock.now() / NONCE_MS);
  // The next one is also accepted, because this server's clock may be late.
  return [window, window - 1, window + 1].some((each) => sameSecret(nonceAt(services, each), nonce));
}

const invalid = (why: string): JudgedProof => ({ fault: 'invalid', message: `The DPoP proof ${why}.` });

/** The URL without query and fragment; null if it is not a URL. */
function plain(url: unknown): string | null {
  const parsed = typeof url === 'string' ? parsedUrl(url) : null;
  return parsed && `${parsed.origin}${parsed.pathname}`;
}

/** The length of an RSA modulus of 4,096 bits in base64url. */
const LONGEST_MODULUS = 683;

/**
 * Anybody may send a key, so keys that are much more costly to use (long ones, or with a large exponent) are refused without using them.
 */
const isCheap = ({ kty, n = '', e }: JWK): boolean => kty !== 'RSA' || (n.length <= LONGEST_MODULUS && e === 'AQAB');

const keyIn: typeof EmbeddedJWK = async (header, token) => {
  if (header?.jwk !== undefined && !isCheap(header.jwk)) throw new TypeError('an expensive key');
  return EmbeddedJWK(header, token);
};

async function verified(proof: string): Promise<{ readonly claims: JWTPayload; readonly jkt: string } | null> {
  try {
    const { payload, protectedHeader } = await verifyJwt(proof, keyIn, {
      typ: 'dpop+jwt',
      algorithms: PROOF_ALGORITHMS,
      requiredClaims: ['jti', 'iat', 'htm', 'htu'],
      // The nonce and `iat` show when the proof was made.
      currentDate: new Date(0),
    });
    return { claims: payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) };
  } catch {
    return null;
  }
}

/**
 * Judges a proof (RFC 9449, section 4.3) for one request, with a nonce of this server. Anybody can make a proof, so nothing is stored here.
 * The caller uses it up (`isFirstUse`) once the session or token that it proves was found in the database.
 */
export async function judgeProof(services: ProofServices, proof: string, target: ProofTarget): Promise<JudgedProof> {
  const found = await verified(proof);
  if (found === null) return invalid('is not a JWT that its own key signed');
  const { claims, jkt } = found;
  const { htm, htu, jti, iat = 0, ath, nonce } = claims;
  if (htm !== target.method || plain(htu) !== plain(target.url)) return invalid('is for another request');
  if (typeof jti !== 'string' || jti.length > 256) return invalid('has no id');
  const seconds = services.clock.now() / 1000;
  if (target.isTimed && Math.abs(seconds - iat) > TOLERANCE_SECONDS) return invalid('is of another time');
  const { accessToken } = target;
  if (accessToken !== undefined && ath !== createHash('sha256').update(accessToken).digest('base64url')) {
    return invalid('is for another access token');
  }
  if (!isOurNonce(services, nonce)) {
    return { fault: 'nonce', message: 'The DPoP proof needs the nonce of DPoP-Nonce.' };
  }
  // Remembered for as long as its time, or any current nonce, is accepted.
  const endsAt = target.isTimed ? iat + 2 * TOLERANCE_SECONDS : Math.ceil(seconds + (3 * NONCE_MS) / 1000);
  return { jkt, use: { kind: 'dpop', signer: jkt, id: jti, endsAt } };
}

export const USED_PROOF = 'The DPoP proof was used.';

/** Uses the proof up. True for only one request. */
export const isFirstUse = async (db: Db, { use }: GoodProof): Promise<boolean> => spendOnce(db, use);
