import { AUTHENTICATED } from '#application/api/authenticated.ts';
import type { Endpoint } from '#application/api/index.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { currentNonce, judgeProof, type GoodProof } from '#provider/accounts/sessions/proofs/proofs.ts';
import type { PresentedSession } from '#provider/accounts/sessions/reading/current.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import { ownOrigin } from './bound-addresses.ts';

/**
 * The proof with which a page proves this call (RFC 9449); null for none. A session that begins or continues with the call is bound to its
 * key, and a bound session counts only with it. It is checked before the call has an effect, so that a page without the current nonce can
 * repeat the call.
 *
 * @param secret the token or JWT in the Authorization header, which the proof must name; null for none
 */
export async function proofOf(
  services: SessionServices,
  context: AppContext,
  endpoint: Endpoint,
  secret: string | null,
): Promise<GoodProof | null> {
  const proof = context.req.header('dpop');
  // Other calls need no proof.
  if (proof === undefined || (secret === null && endpoint.reply !== AUTHENTICATED)) return null;
  context.header('DPoP-Nonce', currentNonce(services));
  const { method, path } = context.req;
  const url = `${ownOrigin(services.project, context)}${path}`;
  const target = { method, url, isTimed: false, ...(secret !== null && { accessToken: secret }) };
  const verdict = await judgeProof(services, proof, target);
  if ('jkt' in verdict) return verdict;
  throw new Refusal(verdict.fault === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof', verdict.message);
}

/**
 * Stores the proof as used if its key is that of the request's session. This happens before the call and outside its transaction, so that a
 * failed call cannot be replayed. A login stores its proof itself, in the transaction that binds the session. Strangers' proofs are not
 * stored.
 */
export async function spendOwnProof({ db }: SessionServices, session: PresentedSession): Promise<void> {
  const { proof } = session;
  if (proof.key === null || !session.isPresented) return;
  if ((await session.findSignedIn())?.session.proof_jkt === proof.key) await proof.use(db);
}
