import { PHONE_METHODS } from '../contacts/channels.ts';
import type { PhoneMethod } from '../contacts/phone.ts';
import type { AuthError } from '../errors.ts';
import type { MfaFactor } from '../sessions/mfa.ts';
import type { User } from '../users/user.ts';
import type { ProofWay } from './account.ts';

/**
 * How the user can prove the second factor that a change needs: by the authenticator app, which the server asks for in any case, else by
 * another factor that the project accepts.
 *
 * @param accepted the project's second factors; null where logins need one factor
 */
export function proofWays(user: User, accepted: readonly MfaFactor[] | null): readonly [ProofWay, ...ProofWay[]] {
  const hasApp = (user.totps ?? []).some(({ verified }) => verified);
  if (hasApp || accepted === null) return ['totp', 'recovery'];
  const ways: ProofWay[] = [];
  if (accepted.includes('webauthn') && (user.webauthn_registrations ?? []).length > 0) ways.push('webauthn');
  if (textChannel(accepted) !== null && phoneOf(user) !== undefined) ways.push('text');
  const [first, ...others] = ways;
  return first === undefined ? ['totp', 'recovery'] : [first, ...others];
}

/** True when the server refused a call because it needs a new login: the last proof of the session is too old. */
export const needsLogin = (error: AuthError): boolean => error.kind === 'api' && error.error_type === 'login_required';

/** How the user can log in again on the page, for a change that needs a new login; empty where a social login or wallet is all there is. */
export function loginWays(user: User): readonly ProofWay[] {
  const ways: ProofWay[] = [];
  if (user.password && emailOf(user) !== undefined) ways.push('password');
  if ((user.webauthn_registrations ?? []).length > 0) ways.push('webauthn');
  if (verifiedEmailOf(user) !== undefined) ways.push('email');
  if (phoneOf(user) !== undefined) ways.push('text');
  return ways;
}

const verifiedEmailOf = (user: User): string | undefined => (user.emails ?? []).find(({ verified }) => verified)?.email;

/** The address with which the user logs in: a verified one, if there is one. */
export const emailOf = (user: User): string | undefined => verifiedEmailOf(user) ?? user.emails?.[0]?.email;

/** The number to which a code can be sent. */
export const phoneOf = (user: User): string | undefined =>
  (user.phone_numbers ?? []).find(({ verified }) => verified)?.phone_number;

/** How the project sends codes of second factors; null where it accepts none. */
export const textChannel = (accepted: readonly MfaFactor[]): PhoneMethod | null =>
  PHONE_METHODS.find((channel) => accepted.includes(channel)) ?? null;
