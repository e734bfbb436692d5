import { missingProof } from './authentication-methods.ts';
import type { SessionFactors } from './factors.ts';
import { Refusal } from './refusal.ts';

/** How old the last proof may be where an account is deleted. */
export const FRESH_PROOF_MINUTES = 10;

/**
 * Refuses a session whose last proof is older than ten minutes: with `mfa_required` for a user who has a second factor, who proves it
 * again, else with `login_required`.
 *
 * @param now in milliseconds since 1970
 */
export function checkFreshProof(session: SessionFactors, hasSecondFactor: boolean, now: number): void {
  if (missingProof(session, { maxAgeMinutes: FRESH_PROOF_MINUTES }, now) === null) return;
  throw hasSecondFactor
    ? new Refusal('mfa_required', 'This needs the second factor again: the last proof is more than ten minutes old.')
    : new Refusal('login_required', 'This needs a login of the last ten minutes: log in again.');
}
