import type { IntermediateReply } from '#application/api/index.ts';
import { isImpersonated, withFactor } from '#domain/rules/factors.ts';
import type { Db } from '#provider/base/db/database.ts';
import { addToUser, requireActivePolicy } from '../../hooks/additions.ts';
import { decide } from '../../hooks/decide.ts';
import type { Services } from '../../services.ts';
import { takeArrival } from '../../users/coming-in.ts';
import { readWholeUser } from '../../users/read-user.ts';
import { mfaRulesOf } from '../factors/policy.ts';
import type { Login } from './login.ts';
import { checkFactors, type BegunLogin } from './login-policy.ts';

type LetInServices = Pick<Services, 'clock' | 'random' | 'project' | 'keys' | 'warn'>;

/**
 * Applies the hook `sign_up` to a user who comes in by this transaction, with their first proof. A factor that it requires becomes the
 * user's policy.
 */
export async function letIn(
  services: LetInServices,
  tx: Db,
  { user, caller, factor }: Pick<Login, 'user' | 'caller' | 'factor'>,
): Promise<void> {
  const arrival = takeArrival(tx, user.user_id);
  if (arrival === undefined || services.project.hooks.sign_up === null) return;
  const whole = await readWholeUser(tx, user.user_id);
  if (whole === undefined) return;
  const decision = decide(services, tx, 'sign_up', { whole, caller, factors: [factor], more: { arrival } });
  if (decision === null) return;
  await addToUser(services, tx, 'sign_up', user, decision);
  if (!decision.require_factor) return;
  requireActivePolicy(services, 'sign_up');
  await tx.updateTable('users').set({ mfa_policy: 'required' }).where('user_id', '=', user.user_id).execute();
}

/**
 * Applies the hook `login` to a login with enough factors, before its session starts. So it is called once for each login, with all of its
 * factors. If it requires a factor that the login lacks, its decision waits in the step, and counts when the step is done.
 *
 * It is not called for a login that joins a live session, nor for an impersonation.
 */
export async function applyLoginHook(
  services: LetInServices,
  tx: Db,
  login: BegunLogin,
): Promise<BegunLogin | IntermediateReply> {
  const { user, caller, factor, factors } = login;
  if (services.project.hooks.login === null && login.decision === null) return login;
  if (isImpersonated({ authentication_factors: withFactor([], factor, 0) })) return login;
  const whole = login.decision === null ? await readWholeUser(tx, user.user_id) : undefined;
  const decision = whole === undefined ? login.decision : decide(services, tx, 'login', { whole, caller, factors });
  if (decision === null) return login;
  let enough = { ...login, decision };
  if (login.decision === null) {
    if (decision.require_factor) requireActivePolicy(services, 'login');
    const rules = mfaRulesOf(services);
    const checked = rules === undefined ? enough : await checkFactors(services, tx, rules, enough);
    if ('mfa' in checked) return checked;
    enough = { ...checked, decision };
  }
  await addToUser(services, tx, 'login', user, decision);
  return enough;
}
