import { isRecord } from '../shape.ts';
import type { SessionFactors } from './factors.ts';
import { Refusal } from './refusal.ts';

/** The session's factors that prove an authenticator app, and where each names the app. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['totp', 'authenticator_app_factor'],
  ['recovery_codes', 'recovery_code_factor'],
]);

/** The session without its second factor, as a reset of the password leaves it: a mailbox must not go on where somebody proved more. */
export function withoutSecondFactor<S extends SessionFactors>(session: S): S {
  return {
    ...session,
    authentication_factors: session.authentication_factors.filter(({ type }) => !PROOFS.has(type)),
  };
}

/**
 * Refuses when the user has a verified authenticator app that the session does not prove (by its code or a recovery
 * code). A person who has only the password or the mail cannot see, add, remove or change a factor.
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
