import { PHONE_METHODS } from '../contacts/channels.ts';
import type { PhoneMethod } from '../contacts/phone.ts';
import { isPhoneMethod } from '../contacts/phone-method.ts';
import type { ProfileStep } from './profile.ts';

/** A proof that can follow the first factor of a login. */
export type MfaFactor = 'totp' | 'webauthn' | PhoneMethod | 'recovery_code';

/** The second factors, the strongest first. */
export const MFA_FACTORS: readonly MfaFactor[] = ['webauthn', 'totp', ...[...PHONE_METHODS].reverse(), 'recovery_code'];

/** The second factors that a user can have (a passkey, an authenticator app or a phone number), the strongest first. */
export function factorsWith(has: Readonly<Record<'passkey' | 'app' | 'phone', boolean>>): readonly MfaFactor[] {
  return MFA_FACTORS.filter((factor) => {
    if (isPhoneMethod(factor)) return has.phone;
    return factor === 'webauthn' ? has.passkey : has.app;
  });
}

/** A number of the user to which a code can be sent. */
export interface MaskedPhone {
  readonly phone_id: string;
  /** The number with all but its first digit and the last two hidden, such as `+1 ••• ••• •• 42`. */
  readonly phone_number: string;
}

/** What a login lacks after its first factor: the second one, or the answers that the project asks for (`profile`). */
export interface MfaStep {
  /** The factors that complete it, the strongest first; empty if the user has none. */
  readonly factors: readonly MfaFactor[];
  /** The number of digits of the app's codes. Absent for six: only apps from another system have eight. */
  readonly totp_digits?: number;
  /** The numbers for a code, if `factors` has `sms` or `whatsapp`. */
  readonly phone_numbers: readonly MaskedPhone[];
  /** The factors that the user may add now; empty if the user has one. */
  readonly enrol: readonly MfaFactor[];
  /** When the intermediate session ends (RFC 3339): ten minutes after the first factor. */
  readonly expires_at: string;
  /** The number of days for which a browser can be trusted; null if the project does not allow it. */
  readonly trusted_device_days: number | null;
  /** The waiting time of a user who lost every second factor; null if the project offers no such recovery. */
  readonly recovery: { readonly hours: number } | null;
  /** The pending recovery; null without one. */
  readonly recovery_pending: { readonly available_at: string } | null;
  /** What the project asks of its users, if this is all that the login lacks. `factors` and `enrol` are then empty. */
  readonly profile?: ProfileStep;
}

/** A browser that the user trusts, as the account page shows it. */
export interface TrustedDevice {
  readonly device_id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly user_agent: string;
  readonly ip_address: string;
}

/** The recovery codes of the user's authenticator app. */
export interface RecoveryCodeSummary {
  /** The number of unused codes. */
  readonly left: number;
  /** True if `totps.recoveryCodes` returns them; otherwise they were shown only when they were created. */
  readonly can_be_shown: boolean;
}

/** The pending removal of lost second factors. */
export interface PendingRecovery {
  readonly recovery_id: string;
  /** RFC 3339: it can be finished from this time on. */
  readonly available_at: string;
}

/** A session that lacks a factor, or a recent proof of one. */
export interface MissingProof {
  /** The types of the session's factors that are too old; empty if no factor counts. */
  readonly factors: readonly string[];
  /** `second-factor`: it has only one factor; `too-old`: its last proof is older than required. */
  readonly reason: 'second-factor' | 'too-old';
}

/** The project's requirement for logins. */
export type MfaPolicy = 'when_enrolled' | 'required' | 'required_for_roles';

/** The project's settings for the second factor, as pages read them. */
export interface MfaSettings {
  readonly policy: MfaPolicy;
  readonly factors: readonly MfaFactor[];
  readonly trusted_device_days: number | null;
  readonly recovery_hours: number | null;
}
