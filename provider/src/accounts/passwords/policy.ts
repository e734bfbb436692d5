import { isEmail } from '#domain/contacts/email.ts';
import type { PasswordStrength } from '#domain/passwords/password-strength.ts';
import { checkStrength, judgePassword } from '#server-rules/passwords.ts';
import type { Services } from '../services.ts';
import { EMBEDDED_BREACHES, isBreached } from '../password-strength/breach-list.ts';
import { sharedJudge } from '../password-strength/judge.ts';

/** The result of the project's policy for a normalized password (specification, sections 3 and 5). */
export async function strengthOf(
  { project, breaches = EMBEDDED_BREACHES, judge = sharedJudge() }: Pick<Services, 'project' | 'breaches' | 'judge'>,
  password: string,
  email: string | undefined,
): Promise<PasswordStrength> {
  const address = email !== undefined && isEmail(email) ? [email, ...email.split(/[@._+-]/u)] : [];
  const candidates = [...address, ...project.name.split(' ')];
  const words = candidates.filter((word) => word.length > 2);
  const [{ score, warning, suggestions }, breached] = await Promise.all([
    judge.judge(password, words),
    isBreached(breaches, password),
  ]);
  return judgePassword(project, password, { score, warning, suggestions, breached });
}

/** Refuses a password that the policy does not accept. */
export async function checkPolicy(
  services: Pick<Services, 'project' | 'breaches' | 'judge'>,
  password: string,
  email: string | undefined,
): Promise<void> {
  checkStrength(await strengthOf(services, password, email));
}

/** True for a breached password, if the project's policy checks for breaches. */
export async function mustNotBeUsed(
  { project, breaches = EMBEDDED_BREACHES }: Pick<Services, 'project' | 'breaches'>,
  password: string,
): Promise<boolean> {
  return project.breach_detection && isBreached(breaches, password);
}
