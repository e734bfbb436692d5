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

/** The number to which a code can be sent. */
export const phoneOf = (user: User): string | undefined =>
  (user.phone_numbers ?? []).find(({ verified }) => verified)?.phone_number;

/** How the project sends codes of second factors; null where it accepts none. */
export const textChannel = (accepted: readonly MfaFactor[]): 'sms' | 'whatsapp' | null =>
  accepted.includes('sms') ? 'sms' : accepted.includes('whatsapp') ? 'whatsapp' : null;
