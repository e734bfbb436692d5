import { AUTHENTICATED } from '../../../src/application/api/sessions.ts';
import type { Endpoint } from '../../../src/application/api/index.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { currentNonce, judgeProof } from '../accounts/sessions/proofs.ts';
import type { SessionServices } from '../accounts/services.ts';
import type { AppContext } from '../base/http/environment.ts';
import { ownOrigin } from './bound-addresses.ts';

/**
 * The thumbprint of the key with which a page proves this call (RFC 9449); null without a proof. A session that begins or goes on with the
 * call is bound to the key, and a bound one counts only with it. It is judged before the call has any effect, so that a page that lacks
 * the nonce of now can repeat the call.
 *
 * @param secret the token or JWT in the Authorization header, which the proof must name; null for none
 */
export async function proofKeyOf(
  services: SessionServices,
  context: AppContext,
  endpoint: Endpoint,
  secret: string | null,
): Promise<string | null> {
  const proof = context.req.header('dpop');
  // Other calls need none, and what nobody needs is not stored as used.
  if (proof === undefined || (secret === null && endpoint.reply !== AUTHENTICATED)) return null;
  context.header('DPoP-Nonce', currentNonce(services));
  const { method, path } = context.req;
  const url = `${ownOrigin(services.project, context)}${path}`;
  const target = { method, url, isTimed: false, ...(secret !== null && { accessToken: secret }) };
  const judged = await judgeProof(services, proof, target);
  if ('jkt' in judged) return judged.jkt;
  throw new Refusal(judged.fault === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof', judged.message);
}
