import {
  hasTwo,
  isActive,
  missingFactors,
  type ActiveMfaRules,
  type MfaUser,
  type MissingFactors,
} from '../../../../src/domain/rules/mfa-policy.ts';
import type { SessionFactors } from '../../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import type { Services } from '../services.ts';
import { readWholeUser, withRoles, type WholeUser } from '../users/read-user.ts';

/** The project's rules of the second factor; undefined while the policy is off. */
export function mfaRulesOf({ project: { mfa } }: Pick<Services, 'project'>): ActiveMfaRules | undefined {
  return isActive(mfa) ? mfa : undefined;
}

/** The user, as far as the policy depends on them, with their current roles. */
export function mfaUser({ project }: Pick<Services, 'project'>, whole: WholeUser): MfaUser {
  return { ...withRoles(project, whole), mfa_policy: whole.mfa_policy };
}

/**
 * What the factors lack by the project's policy; null when they are enough, and while the policy is off. Only factors that are not
 * enough for everybody cost a statement.
 */
export async function lackOf(
  services: Pick<Services, 'project'>,
  db: Db,
  { user_id, authentication_factors }: SessionFactors & { readonly user_id: string },
  known?: WholeUser,
): Promise<MissingFactors | null> {
  const rules = mfaRulesOf(services);
  if (rules === undefined || hasTwo(rules, authentication_factors)) return null;
  const whole = known ?? (await readWholeUser(db, user_id));
  return whole === undefined ? null : missingFactors(rules, mfaUser(services, whole), authentication_factors);
}

/** Refuses factors that are not enough by the project's policy. */
export async function requireEnough(...of: Parameters<typeof lackOf>): Promise<void> {
  if ((await lackOf(...of)) !== null) throw new Refusal('mfa_required');
}
