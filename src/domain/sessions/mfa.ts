import { PHONE_METHODS } from '../contacts/channels.ts';
import type { PhoneMethod } from '../contacts/phone.ts';
import { isPhoneMethod } from '../contacts/phone-method.ts';

/** A proof that can follow the first factor of a login. */
export type MfaFactor = 'totp' | 'webauthn' | PhoneMethod | 'recovery_code';

/** The second factors, the strongest first. */
export const MFA_FACTORS: readonly MfaFactor[] = ['webauthn', 'totp', ...[...PHONE_METHODS].reverse(), 'recovery_code'];

/** The second factors that a user with a passkey, an authenticator app or a phone number has, the strongest first. */
export function factorsWith(has: Readonly<Record<'passkey' | 'app' | 'phone', boolean>>): readonly MfaFactor[] {
  return MFA_FACTORS.filter((factor) => {
    if (isPhoneMethod(factor)) return has.phone;
    return factor === 'webauthn' ? has.passkey : has.app;
  });
}

/** A number of the user to which a code can be sent. */
export interface MaskedPhone {
  readonly phone_id: string;
  /** All but the country code and the last two digits are hidden, such as `+1 ••• ••• •• 42`. */
  readonly phone_number: string;
}

/** A login that has one factor and lacks the second. */
export interface MfaStep {
  /** The factors that complete it, the strongest first; empty when the user has none. */
  readonly factors: readonly MfaFactor[];
  /** Where a code can be sent, if `factors` has `sms` or `whatsapp`. */
  readonly phone_numbers: readonly MaskedPhone[];
  /** The factors that the user may add now; empty when the user has one. */
  readonly enrol: readonly MfaFactor[];
  /** When the intermediate session ends (RFC 3339): ten minutes after the first factor. */
  readonly expires_at: string;
  /** For how many days a browser can be trusted; null where the project does not allow it. */
  readonly trusted_device_days: number | null;
  /** How long a user who lost every second factor waits; null where the project offers no such recovery. */
  readonly recovery: { readonly hours: number } | null;
  /** A recovery that waits; null without one. */
  readonly recovery_pending: { readonly available_at: string } | null;
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
  /** How many of them are unused. */
  readonly left: number;
  /** Whether `totps.recoveryCodes` shows them; otherwise they were shown when they were made. */
  readonly can_be_shown: boolean;
}

/** The removal of lost second factors, which waits. */
export interface PendingRecovery {
  readonly recovery_id: string;
  /** RFC 3339: from then on it can be finished. */
  readonly available_at: string;
}

/** A session that lacks a factor, or a recent proof of one. */
export interface MissingProof {
  /** The types of the session's factors that are too old; empty where it has none that counts. */
  readonly factors: readonly string[];
  /** `second-factor`: it has one factor; `too-old`: it has no proof as recent as required. */
  readonly reason: 'second-factor' | 'too-old';
}

/** What the project requires of a login. */
export type MfaPolicy = 'when_enrolled' | 'required' | 'required_for_roles';

/** The project's settings of the second factor, as pages read them. */
export interface MfaSettings {
  readonly policy: MfaPolicy;
  readonly factors: readonly MfaFactor[];
  readonly trusted_device_days: number | null;
  readonly recovery_hours: number | null;
}
