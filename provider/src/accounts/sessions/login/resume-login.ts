import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { Services } from '../../services.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { LockedUser } from '../../users/lock.ts';
import { endStep, type IntermediateSession } from '../factors/intermediate.ts';
import { mfaRulesOf, withLiveTrust } from '../factors/policy.ts';
import type { Caller } from '../reading/current.ts';
import { enterWith } from './log-in.ts';
import { checkFactors, trustedBrowser, type BegunLogin, type LoginOutcome } from './login-policy.ts';

interface ResumedLogin {
  readonly user: LockedUser;
  /** As the transaction read it under the user's lock. */
  readonly row: IntermediateSession;
  readonly caller: Caller;
}

/** Goes on with a login whose profile is complete now. What else it lacks by the policy of today is checked again. */
export async function resumeLogin(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'warn'>,
  tx: Db,
  { user, row, caller }: ResumedLogin,
): Promise<LoginOutcome> {
  const factors = await withLiveTrust(services, tx, user.user_id, row.factors);
  const rules = mfaRulesOf(services);
  await endStep(tx, row);
  caller.trail.about = user.user_id;
  const proof = { user, caller, factor: lastOf(factors) };
  const login: BegunLogin = {
    ...proof,
    factors,
    minutes: row.minutes,
    custom_claims: row.custom_claims ?? undefined,
    newSessionId: row.new_session_id,
    accounts: row.pending_accounts,
    presented: undefined,
    trusted_device_id: rules === undefined ? null : await trustedBrowser(services, tx, rules, proof),
    // A hook that required a factor, which the project no longer has, decides again.
    decision: rules === undefined ? null : row.hook_decision,
  };
  const checked = rules === undefined ? login : await checkFactors(services, tx, rules, login);
  return 'mfa' in checked ? checked : enterWith(services, tx, checked);
}

/** The last proof of the person. */
function lastOf(factors: readonly AuthenticationFactor[]): AuthenticationFactor {
  const last = [...factors].reverse().find(({ type }) => type !== 'trusted_device');
  if (last === undefined) throw new Error('a login that lacks something has a first factor');
  return last;
}
