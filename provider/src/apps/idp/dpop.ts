import type { JWTPayload } from 'jose';
import { judgeProof, type ProofTarget } from '../../accounts/sessions/proofs.ts';
import type { Services } from '../../accounts/services.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * The thumbprint of the key that made the proof (RFC 9449, section 4.3). A proof is valid once, for one request, with a nonce of this
 * server.
 *
 * @throws OAuthError `invalid_dpop_proof`, or `use_dpop_nonce` for a proof without the nonce of now
 */
export async function readProof(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  proof: string,
  target: Omit<ProofTarget, 'isTimed'>,
): Promise<string> {
  const judged = await judgeProof(services, proof, { ...target, isTimed: true });
  if ('jkt' in judged) return judged.jkt;
  throw new OAuthError(judged.fault === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof', judged.message);
}

/** The thumbprint to which an access token is bound; null for a bearer token. */
export function boundKeyOf({ cnf }: JWTPayload): string | null {
  const { jkt } = (cnf ?? {}) as { readonly jkt?: unknown };
  return typeof jkt === 'string' ? jkt : null;
}
