import { FACTORS } from '../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { transaction } from '../db/transaction.ts';
import { takeForNetwork } from '../security/limits.ts';
import { checkVerifier } from '../security/pkce-check.ts';
import type { Services } from '../services.ts';
import type { Caller } from '../sessions/current.ts';
import type { Enter } from '../sessions/entering.ts';
import { lockUser } from '../users/lock.ts';
import { findOAuthToken, redeemOAuthToken, type FoundToken } from './registrations.ts';

interface Redeeming<Reply> {
  readonly token: string;
  readonly code_verifier: string | undefined;
  readonly caller: Caller;
  readonly enter: Enter<Reply>;
}

/** Logs in the user whose social login ended with the token. */
export async function logInByOAuth<Reply>(
  services: Services,
  { token, code_verifier, caller, enter }: Redeeming<Reply>,
): Promise<{ readonly reply: Reply; readonly found: FoundToken }> {
  const found = await findOAuthToken(services, token);
  if (found === undefined) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('oauth_token_not_found');
  }
  checkVerifier(found.code_challenge, code_verifier);
  const reply = await transaction(services.db, async (tx) => {
    const user = await lockUser(tx, found.user_id);
    if (user === undefined || !(await redeemOAuthToken(tx, found))) throw new Refusal('oauth_token_not_found');
    return enter(tx, user, FACTORS.oauth(found));
  });
  return { reply, found };
}
