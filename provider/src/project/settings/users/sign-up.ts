import type { RbacPolicy } from '#domain/project/rbac-policy.ts';
import { OPEN_TO_ALL, type SignUpRules } from '#server-rules/sign-ups.ts';
import { emailDomains } from '../../readers/email-domains.ts';
import { Mistakes, object, oneOf, texts, type Reader } from '../../readers/readers.ts';
import { CLIENT_ID as ID } from '../app-fields.ts';

export const signUpRules: Reader<SignUpRules> = object<SignUpRules>(
  { policy: oneOf('open', 'invited', 'closed'), domains: emailDomains, roles: texts(ID) },
  OPEN_TO_ALL,
);

/** Refuses domains that nothing would check, and roles that the project does not have. */
export function checkSignUp({
  sign_up: { policy, domains, roles },
  rbac_policy,
}: {
  readonly sign_up: SignUpRules;
  readonly rbac_policy: RbacPolicy;
}): void {
  const mistakes = new Mistakes();
  const isUnused = policy !== 'open' && domains.length > 0;
  mistakes.refuseIf(isUnused, 'sign_up.domains', 'left out unless sign_up.policy is open');
  const roleIds = new Set(rbac_policy.roles.map(({ role_id }) => role_id));
  roles.forEach((role, at) => mistakes.refuseIf(!roleIds.has(role), `sign_up.roles[${at}]`, 'a role of rbac_policy'));
  mistakes.check();
}
