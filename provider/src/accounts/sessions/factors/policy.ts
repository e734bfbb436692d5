import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import {
  hasTwo,
  isActive,
  missingFactors,
  type ActiveMfaRules,
  type MfaUser,
  type MissingFactors,
} from '#server-rules/mfa-policy.ts';
import type { SessionFactors } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import { isRecord } from '#domain/shape.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { HookDecision } from '../../hooks/decision.ts';
import type { Services } from '../../services.ts';
import type { SecondFactorTable } from '../../users/belongings.ts';
import { readWholeUser, withRoles, type WholeUser } from '../../users/read-user.ts';
import { isTrustedDevice } from './trusted-devices.ts';

/** The project's rules about second factors; undefined while the policy is off. */
export function mfaRulesOf({ project: { mfa } }: Pick<Services, 'project'>): ActiveMfaRules | undefined {
  return isActive(mfa) ? mfa : undefined;
}

/** The user's data that the policy depends on, with their current roles and what a hook decided. */
export function mfaUser(
  { project }: Pick<Services, 'project'>,
  whole: WholeUser,
  decision: HookDecision | null = null,
): MfaUser {
  const given_roles = [...whole.given_roles, ...(decision?.roles ?? [])];
  const mfa_policy = decision?.require_factor === true ? 'required' : whole.mfa_policy;
  return { ...withRoles(project, { ...whole, given_roles }), mfa_policy };
}

interface FactorsOfUser extends SessionFactors {
  readonly user_id: string;
  /** What a hook decided about a login that lacks a factor. */
  readonly hook_decision?: HookDecision | null;
}

/**
 * What the factors lack by the project's policy; null if they are enough, or the policy is off. The database is queried only if the factors
 * would not be enough for every user.
 */
export async function lackOf(
  services: Pick<Services, 'project' | 'clock'>,
  db: Db,
  { user_id, authentication_factors, hook_decision }: FactorsOfUser,
  wholeUser?: WholeUser,
): Promise<MissingFactors | null> {
  const rules = mfaRulesOf(services);
  if (rules === undefined) return null;
  const factors = await withLiveTrust(services, db, user_id, authentication_factors);
  if (hasTwo(rules, factors)) return null;
  const whole = wholeUser ?? (await readWholeUser(db, user_id));
  return whole === undefined ? null : missingFactors(rules, mfaUser(services, whole, hook_decision), factors);
}

/** The factors without a trusted browser whose trust has ended. A session that began with it then lacks the second factor. */
export async function withLiveTrust(
  services: Pick<Services, 'clock'>,
  db: Db,
  userId: string,
  factors: readonly AuthenticationFactor[],
): Promise<readonly AuthenticationFactor[]> {
  const detail = factors.find(({ type }) => type === 'trusted_device')?.['trusted_device_factor'];
  if (!isRecord(detail)) return factors;
  const isLive = await isTrustedDevice(services, db, userId, String(detail['device_id']));
  return isLive ? factors : factors.filter(({ type }) => type !== 'trusted_device');
}

/** Refuses factors that are not enough for the project's policy. */
export async function requireEnough(...of: Parameters<typeof lackOf>): Promise<void> {
  if ((await lackOf(...of)) !== null) throw new Refusal('mfa_required');
}

/** The tables of the factors that the project accepts as second ones. Authenticator apps are always included. */
export function secondFactorTables(services: Pick<Services, 'project'>): readonly SecondFactorTable[] {
  const factors = mfaRulesOf(services)?.factors ?? [];
  return [
    'totps',
    ...(factors.includes('webauthn') ? (['webauthn_registrations'] as const) : []),
    ...(factors.some(isPhoneMethod) ? (['phone_numbers'] as const) : []),
  ];
}
