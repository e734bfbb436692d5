import { PHONE_METHODS } from '../contacts/channels.ts';
import type { PhoneMethod } from '../contacts/phone.ts';
import type { AuthError } from '../errors.ts';
import type { MfaFactor } from '../sessions/mfa.ts';
import type { User } from '../users/user.ts';
import type { ProofWay } from './account.ts';

/**
 * The ways to prove the second factor for a change: the authenticator app, if the user has one, because the server always requires it; else
 * another factor that the project accepts.
 *
 * @param accepted the project's second factors; null if logins need one factor
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

/** The ways to log in again on the page, for a change that needs a new login; empty if the user only has a social login or a wallet. */
export function loginWays(user: User): readonly ProofWay[] {
  const ways: ProofWay[] = [];
  if (user.password && emailOf(user) !== undefined) ways.push('password');
  if ((user.webauthn_registrations ?? []).length > 0) ways.push('webauthn');
  if (verifiedEmailOf(user) !== undefined) ways.push('email');
  if (phoneOf(user) !== undefined) ways.push('text');
  return ways;
}

const verifiedEmailOf = (user: User): string | undefined => (user.emails ?? []).find(({ verified }) => verified)?.email;

/** The user's email address for logins: a verified one, if there is one. */
export const emailOf = (user: User): string | undefined => verifiedEmailOf(user) ?? user.emails?.[0]?.email;

/** The user's verified phone number, for codes. */
export const phoneOf = (user: User): string | undefined =>
  (user.phone_numbers ?? []).find(({ verified }) => verified)?.phone_number;

/** The project's channel for codes as second factors; null if it accepts none. */
export const textChannel = (accepted: readonly MfaFactor[]): PhoneMethod | null =>
  PHONE_METHODS.find((channel) => accepted.includes(channel)) ?? null;
