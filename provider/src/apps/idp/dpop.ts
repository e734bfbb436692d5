import { createHash, createHmac } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify, type JWTPayload } from 'jose';
import type { Services } from '../../accounts/services.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import { sameSecret } from '../../base/security/secrets.ts';
import { OAuthError } from './oauth-error.ts';
import { spendOnce } from '../../accounts/sessions/spend-once.ts';

/** Proof of possession (RFC 9449): a token that is bound to a key is useless to a reader. */

export const PROOF_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'];

const TOLERANCE_SECONDS = 60;
const NONCE_MS = 5 * MINUTE_MS;

type ProofServices = Pick<Services, 'db' | 'clock' | 'keys'>;

/** The request for which a proof must be made. */
export interface ProofTarget {
  readonly method: string;
  /** The address of the request without query and fragment. */
  readonly url: string;
  /** The access token that comes with the proof, at an API. */
  readonly accessToken?: string;
}

function nonceAt({ keys }: Pick<Services, 'keys'>, window: number): string {
  return createHmac('sha256', keys.codeKey).update(`dpop nonce\n${window}`).digest('base64url');
}

/** The nonce of the next proof. Every server of the project makes the same one, for five to ten minutes. */
export function currentNonce(services: Pick<Services, 'keys' | 'clock'>): string {
  return nonceAt(services, Math.floor(services.clock.now() / NONCE_MS));
}

function isOurNonce(services: Pick<Services, 'keys' | 'clock'>, nonce: unknown): boolean {
  if (typeof nonce !== 'string') return false;
  const window = Math.floor(services.clock.now() / NONCE_MS);
  // The next one, for a server whose clock is late.
  return [window, window - 1, window + 1].some((each) => sameSecret(nonceAt(services, each), nonce));
}

const invalid = (why: string): OAuthError => new OAuthError('invalid_dpop_proof', `The DPoP proof ${why}.`);

/** The address without query and fragment; null for none. */
function plain(url: unknown): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function verified(proof: string): Promise<{ readonly claims: JWTPayload; readonly jkt: string }> {
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: PROOF_ALGORITHMS,
      requiredClaims: ['jti', 'iat', 'htm', 'htu'],
      // The nonce and `iat` give the time at which it was made.
      currentDate: new Date(0),
    });
    return { claims: payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) };
  } catch {
    throw invalid('is not a JWT that its own key signed');
  }
}

/**
 * The thumbprint of the key that made the proof (RFC 9449, section 4.3). A proof is valid once, for one request, with a nonce of this
 * server.
 *
 * @throws OAuthError `invalid_dpop_proof`, or `use_dpop_nonce` for a proof without the nonce of now
 */
export async function readProof(services: ProofServices, proof: string, target: ProofTarget): Promise<string> {
  const { claims, jkt } = await verified(proof);
  const { htm, htu, jti, iat = 0, ath, nonce } = claims;
  if (htm !== target.method || plain(htu) !== plain(target.url)) throw invalid('is for another request');
  if (typeof jti !== 'string' || jti.length > 256) throw invalid('has no id');
  const now = services.clock.now();
  if (Math.abs(now / 1000 - iat) > TOLERANCE_SECONDS) throw invalid('is of another time');
  const { accessToken } = target;
  if (accessToken !== undefined && ath !== createHash('sha256').update(accessToken).digest('base64url')) {
    throw invalid('is for another access token');
  }
  if (!isOurNonce(services, nonce))
    throw new OAuthError('use_dpop_nonce', 'The DPoP proof needs the nonce of DPoP-Nonce.');
  // For as long as its time is accepted.
  const token = { kind: 'dpop', signer: jkt, jti, endsAt: iat + 2 * TOLERANCE_SECONDS } as const;
  if (!(await spendOnce(services.db, token))) throw invalid('was used');
  return jkt;
}

/** The thumbprint to which an access token is bound; null for a bearer token. */
export function boundKeyOf({ cnf }: JWTPayload): string | null {
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return typeof jkt === 'string' ? jkt : null;
}
