import { isRecord } from '../shape.ts';
import type { SessionFactors } from './factors.ts';
import { Refusal } from './refusal.ts';

/** The factor types that prove an authenticator app, with the path of the app's id in each. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['totp', 'authenticator_app_factor'],
  ['recovery_codes', 'recovery_code_factor'],
]);

/** The session without its second factor, as after a password reset: access to a mailbox must not inherit a stronger proof. */
export function withoutSecondFactor<S extends SessionFactors>(session: S): S {
  return {
    ...session,
    authentication_factors: session.authentication_factors.filter(({ type }) => !PROOFS.has(type)),
  };
}

/**
 * Throws a Refusal when the user has a verified authenticator app and the session has not proven it by a code or a recovery code.
 * Somebody with only the password or the mailbox cannot see, add, remove or change a factor.
 *
 * @param totpId the user's verified authenticator app, undefined when there is none
 * @param session the session that was presented; undefined when there was none
 */
export function checkSecondFactor(
  totpId: string | undefined,
  userId: string,
  session: (SessionFactors & { readonly user_id: string }) | undefined,
): void {
  if (totpId === undefined) return;
  const proven =
    session?.user_id === userId &&
    session.authentication_factors.some((factor) => {
      const detail = factor[PROOFS.get(factor.type) ?? ''];
      return isRecord(detail) && detail['totp_id'] === totpId;
    });
  if (!proven) throw new Refusal('mfa_required');
}
