import type { JWTPayload } from 'jose';
import type { Db } from '#provider/base/db/database.ts';
import {
  isFirstUse,
  judgeProof,
  USED_PROOF,
  type GoodProof,
  type ProofTarget,
} from '#provider/accounts/sessions/proofs/proofs.ts';
import type { Services } from '#provider/accounts/services.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * Checks the proof (RFC 9449, section 4.3) for one request, with a nonce of this server. It may be used once: call `spendProof` when its
 * key is needed.
 *
 * @throws OAuthError `invalid_dpop_proof`, or `use_dpop_nonce` for a proof without the current nonce
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
 * Uses up the proof, if there is one. Call it after the code or token of the request was found, because anybody can make proofs. Call it
 * before that code or token has any effect, so that somebody who read the request cannot repeat it.
 *
 * @throws OAuthError `invalid_dpop_proof` for each use but the first
 */
export async function spendProof(db: Db, proof: GoodProof | null): Promise<void> {
  if (proof !== null && !(await isFirstUse(db, proof))) throw new OAuthError('invalid_dpop_proof', USED_PROOF);
}

/** The thumbprint that an access token is bound to; null for a bearer token. */
export function boundKeyOf({ cnf }: JWTPayload): string | null {
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return typeof jkt === 'string' ? jkt : null;
}
