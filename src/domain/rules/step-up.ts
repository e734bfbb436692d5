import { isPhoneMethod } from '../contacts/phone-method.ts';
import { kindOf } from './authentication-methods.ts';
import { isProof } from './factors.ts';
import { lacksApp } from './second-factor.ts';
import type { User } from '../users/user.ts';
import { factorsWith, MFA_FACTORS, type MfaFactor, type MfaStep, type MissingProof } from '../sessions/mfa.ts';
import type { Session } from '../sessions/session.ts';

/**
 * The step of a session that lacks a proof: the user's second factors that the project accepts. If only a new proof is needed, only the
 * factors that provide it.
 *
 * @param accepted the project's second factors; null if it requires none
 * @returns null if only another login helps: the proofs are too old and the user has no second factor, or the second factor is new and
 * counts only with a recent login by an older method
 */
export function stepUpStep(
  { session, user }: { readonly session: Session; readonly user: User },
  { reason }: Pick<MissingProof, 'reason'>,
  accepted: readonly MfaFactor[] | null,
): MfaStep | null {
  const isAccepted = (factor: MfaFactor): boolean => (accepted ?? MFA_FACTORS).includes(factor);
  // A proof that the session already has, however old, would be the same factor again.
  const kinds = new Set(reason === 'too-old' ? [] : session.authentication_factors.map(kindOf));
  const phones = (user.phone_numbers ?? []).filter(({ verified }) => verified);
  const numbers = phones.filter(({ phone_id }) => !kinds.has(`phone:${phone_id}`));
  const app = (user.totps ?? []).find(({ verified }) => verified);
  const hasPasskey = (user.webauthn_registrations ?? []).length > 0;
  const enrolled = factorsWith({ passkey: hasPasskey, app: app !== undefined, phone: phones.length > 0 }).filter(
    isAccepted,
  );
  if (enrolled.length === 0 && reason === 'too-old') return null;
  if (session.authentication_factors.some((factor) => !isProof(factor) && kinds.has(kindOf(factor)))) return null;
  const open = enrolled.filter((factor) => {
    if (isPhoneMethod(factor)) return numbers.length > 0;
    return factor === 'webauthn' || !kinds.has('totp');
  });
  const sendsTexts = open.some(isPhoneMethod);
  const enrol = MFA_FACTORS.filter((factor) => factor !== 'recovery_code' && isAccepted(factor));
  // If the project no longer accepts the app, the user enrols a factor that it accepts (`missingFactors`).
  const opens = enrolled.length === 0 && lacksApp({ totps: user.totps ?? [] }, session.authentication_factors);
  return {
    factors: opens ? ['totp', 'recovery_code'] : open,
    phone_numbers: sendsTexts ? numbers.map(({ phone_id, phone_number }) => ({ phone_id, phone_number })) : [],
    enrol: enrolled.length === 0 && !opens ? enrol : [],
    ...(app?.digits === undefined ? {} : { totp_digits: app.digits }),
    expires_at: session.expires_at,
    trusted_device_days: null,
    recovery: null,
    recovery_pending: null,
  };
}
