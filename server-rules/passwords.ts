import { RESET_REASON } from '#domain/screens/refusals.ts';
import { ludsOf, NO_LUDS, type LudsPolicy, type PasswordStrength } from '#domain/passwords/password-strength.ts';
import { Refusal } from '#domain/rules/refusal.ts';

/** A project's requirements for passwords (specification, sections 3 and 5). */
export interface PasswordPolicy {
  readonly password_strength_policy: 'zxcvbn' | 'luds' | 'none';
  readonly luds_complexity: number;
  readonly luds_minimum_count: number;
  /** Rejects passwords that are known from breaches of other sites. */
  readonly breach_detection: boolean;
}

/** The guessability of a password, in zxcvbn's format. */
export interface PasswordEstimate {
  readonly score: number;
  readonly warning: string;
  readonly suggestions: readonly string[];
}

/** Green in the meter (specification, section 5). */
const GOOD_SCORE = 3;
/** NIST SP 800-63B-4, section 3.1.1.2, for a password in addition to another factor. */
const MIN_LENGTH = 8;
const MAX_BYTES = 4096;

/** The error for a wrong email address or password. It does not reveal which of the two is wrong. */
export const WRONG_PASSWORD = 'The email address or the password is wrong.';

/**
 * The error for the correct password of a user who must set another one by email. For a wrong password the error reveals nothing.
 *
 * @param breached whether the password is known from a breach of another site
 */
export function resetRefusal(breached: boolean): Refusal {
  return new Refusal('reset_password', undefined, undefined, breached ? { reason: RESET_REASON } : undefined);
}

/** The password in the form for comparison: normalized Unicode, not trimmed. Throws a Refusal above 4 kB. */
export function normalPassword(password: string): string {
  if (password.length > MAX_BYTES) throw new Refusal('password_too_long');
  const normal = password.normalize('NFKC');
  if (new TextEncoder().encode(normal).length > MAX_BYTES) throw new Refusal('password_too_long');
  return normal;
}

/** The counts of a policy, or null for a policy without counts. */
function countsOf({
  password_strength_policy: kind,
  luds_complexity,
  luds_minimum_count,
}: Omit<PasswordPolicy, 'breach_detection'>): LudsPolicy | null {
  if (kind === 'zxcvbn') return null;
  return kind === 'none' ? NO_LUDS : { ludsComplexity: luds_complexity, ludsMinimumCount: luds_minimum_count };
}

/** `password_config` of the bootstrap reply. The wire has no value for `none`, so it becomes `luds` with counts of zero. */
export function passwordConfigOf(policy: Omit<PasswordPolicy, 'breach_detection'>) {
  const counts = countsOf(policy);
  return counts && { luds_complexity: counts.ludsComplexity, luds_minimum_count: counts.ludsMinimumCount };
}

/** The result of the project's policy for a normalized password. */
export function judgePassword(
  policy: PasswordPolicy,
  password: string,
  { score, warning, suggestions, breached }: PasswordEstimate & { readonly breached: boolean },
): PasswordStrength {
  const { luds_complexity, luds_minimum_count, breach_detection } = policy;
  const length = Array.from(password).length;
  const counts = countsOf(policy);
  const luds = ludsOf(password, counts ?? { ludsComplexity: luds_complexity, ludsMinimumCount: luds_minimum_count });
  const short = counts === null && length < MIN_LENGTH;
  const strong =
    counts === null
      ? score >= GOOD_SCORE && !short
      : length > 0 && luds.missing_characters === 0 && luds.missing_complexity === 0;
  return {
    valid_password: strong && !(breached && breach_detection),
    score,
    breached_password: breached,
    breach_detection_on_create: breach_detection,
    strength_policy: counts === null ? 'zxcvbn' : 'luds',
    feedback: {
      warning,
      suggestions: [...suggestions, ...(short ? [`Use at least ${MIN_LENGTH} characters.`] : [])],
      luds_requirements: luds,
    },
  };
}

/** Throws a Refusal for a password that does not meet the policy. */
export function checkStrength(strength: PasswordStrength): void {
  if (strength.valid_password) return;
  if (strength.breached_password && strength.breach_detection_on_create) throw new Refusal('breached_password');
  const { warning, suggestions } = strength.feedback;
  throw new Refusal('weak_password', [warning, ...suggestions].join(' ').trim() || undefined);
}

/** Rejects a first password for an address whose user already has one, or signs in without one. */
export function checkFree(user: { readonly hasPassword: boolean; readonly isTaken: boolean } | undefined): void {
  if (user?.hasPassword === true) throw new Refusal('duplicate_email');
  if (user?.isTaken === true) throw new Refusal('reset_password');
}
