import { isEmail } from '../../../src/domain/email.ts';
import type { PasswordStrength } from '../../../src/domain/password-strength.ts';
import { Refusal } from '../http/refusal.ts';
import type { Services } from '../services.ts';
import { EMBEDDED_BREACHES, isBreached } from './breach-list.ts';
import { sharedJudge } from './judge.ts';

/** Green in the meter (specification, section 5). */
const GOOD_SCORE = 3;
/** NIST SP 800-63B-4, section 3.1.1.2, for a password beside another factor. */
const MIN_LENGTH = 8;

/** What the project's policy says of a normal password (specification, sections 3 and 5). */
export async function strengthOf(
  { project, breaches = EMBEDDED_BREACHES, judge = sharedJudge() }: Pick<Services, 'project' | 'breaches' | 'judge'>,
  password: string,
  email: string | undefined,
): Promise<PasswordStrength> {
  const address = email !== undefined && isEmail(email) ? [email, ...email.split(/[@._+-]/u)] : [];
  const known = [...address, ...project.name.split(' ')];
  const { score, warning, suggestions } = await judge.judge(
    password,
    known.filter((word) => word.length > 2),
  );
  const length = Array.from(password).length;
  const kinds = {
    has_digit: /\p{Nd}/u.test(password),
    has_lower_case: /\p{Ll}/u.test(password),
    has_symbol: /[^\p{L}\p{N}]/u.test(password),
    has_upper_case: /\p{Lu}/u.test(password),
  };
  const complexity = Object.values(kinds).filter(Boolean).length;
  const luds_requirements = {
    ...kinds,
    missing_characters: Math.max(0, project.luds_minimum_count - length),
    missing_complexity: Math.max(0, project.luds_complexity - complexity),
  };
  const breached_password = await isBreached(breaches, password);
  const policy = project.password_strength_policy;
  const short = policy === 'zxcvbn' && length < MIN_LENGTH;
  const strong = {
    none: length > 0,
    zxcvbn: score >= GOOD_SCORE && !short,
    luds: luds_requirements.missing_characters === 0 && luds_requirements.missing_complexity === 0,
  }[policy];
  return {
    valid_password: strong && !(breached_password && project.breach_detection),
    score,
    breached_password,
    breach_detection_on_create: project.breach_detection,
    strength_policy: policy,
    feedback: {
      warning,
      suggestions: [...suggestions, ...(short ? [`Use at least ${MIN_LENGTH} characters.`] : [])],
      luds_requirements,
    },
  };
}

/** Refuses a password that the policy does not take. */
export async function checkPolicy(services: Services, password: string, email: string | undefined): Promise<void> {
  const { valid_password, breached_password, feedback } = await strengthOf(services, password, email);
  if (valid_password) return;
  if (breached_password && services.project.breach_detection) throw new Refusal('breached_password');
  throw new Refusal('weak_password', [feedback.warning, ...feedback.suggestions].join(' ').trim() || undefined);
}

/** True for a password that must not be used any more, where the project asks. */
export async function mustNotBeUsed(
  { project, breaches = EMBEDDED_BREACHES }: Pick<Services, 'project' | 'breaches'>,
  password: string,
): Promise<boolean> {
  return project.breach_detection && isBreached(breaches, password);
}
