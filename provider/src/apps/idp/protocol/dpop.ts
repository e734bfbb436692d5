import type { JWTPayload } from 'jose';
import type { Db } from '../../../base/db/database.ts';
import {
  isFirstUse,
  judgeProof,
  USED_PROOF,
  type GoodProof,
  type ProofTarget,
} from '../../../accounts/sessions/proofs/proofs.ts';
import type { Services } from '../../../accounts/services.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * The proof (RFC 9449, section 4.3), which is for one request, with a nonce of this server. It counts once: whoever needs its key calls
 * `spendProof`.
 *
 * @throws OAuthError `invalid_dpop_proof`, or `use_dpop_nonce` for a proof without the nonce of now
 */
export async function readProof(
  services: Pick<Services, 'clock' | 'keys'>,
  proof: string,
  target: Omit<ProofTarget, 'isTimed'>,
): Promise<GoodProof> {
  const result = await judgeProof(services, proof, { ...target, isTimed: true });
  if ('jkt' in result) return result;
  throw new OAuthError(result.fault === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof', result.message);
}

/**
 * Uses the proof up, if there is one: once the code or token that comes with it was found, as anybody can make proofs, and before that has
 * any effect, so that somebody who read the request cannot repeat it.
 *
 * @throws OAuthError `invalid_dpop_proof` for each use but the first
 */
export async function spendProof(db: Db, proof: GoodProof | null): Promise<void> {
  if (proof !== null && !(await isFirstUse(db, proof))) throw new OAuthError('invalid_dpop_proof', USED_PROOF);
}

/** The thumbprint to which an access token is bound; null for a bearer token. */
export function boundKeyOf({ cnf }: JWTPayload): string | null {
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return typeof jkt === 'string' ? jkt : null;
}
