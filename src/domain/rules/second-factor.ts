import type { AuthenticationFactor } from '../sessions/session.ts';
import { isRecord } from '../shape.ts';
import type { User } from '../users/user.ts';
import type { SessionFactors } from './factors.ts';

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
 * True for a user with a verified authenticator app that none of the factors proves, by a code or a recovery code. Such a session cannot
 * see, add, remove or change a factor, because it may belong to somebody who has only the password or the mailbox.
 */
export function lacksApp({ totps }: Pick<User, 'totps'>, factors: readonly AuthenticationFactor[]): boolean {
  const app = totps.find(({ verified }) => verified);
  if (app === undefined) return false;
  return !factors.some((factor) => {
    const detail = factor[PROOFS.get(factor.type) ?? ''];
    return isRecord(detail) && detail['totp_id'] === app.totp_id;
  });
}
