import type { EnteredPhone, PhoneMethod } from '../contacts/phone.ts';
import { isPhoneMethod } from '../contacts/phone-method.ts';
import type { NewTotp } from './new-totp.ts';
import type { ProfileEntry } from './profile.ts';
import type { AuthError } from '../errors.ts';
import type { SentOtp } from '../passcodes/otp.ts';
import type { MaskedPhone, MfaFactor, MfaStep } from './mfa.ts';

/** A factor that completes a login, with the number if a code is sent. */
export type FactorChoice =
  | { readonly factor: Exclude<MfaFactor, PhoneMethod> }
  | { readonly factor: PhoneMethod; readonly phone: MaskedPhone };

/** The ways to complete the step, the strongest first. A channel for codes is listed once for each number. */
export function choicesOf({ factors, phone_numbers: phones }: MfaStep): readonly FactorChoice[] {
  return factors.flatMap((factor): readonly FactorChoice[] =>
    isPhoneMethod(factor) ? phones.map((phone) => ({ factor, phone })) : [{ factor }],
  );
}

/** The form of the step that the person sees. */
export type FactorTask =
  /** The list of the ways to complete the login. */
  | { readonly kind: 'choice' }
  | { readonly kind: 'totp' | 'recovery_code' | 'webauthn' }
  /** The removal of lost second factors: the button that starts it, later the time at which it can be finished. */
  | { readonly kind: 'recovery' }
  /** A code was sent. `phone` is one of the step's numbers, or null for a number that the person adds. */
  | { readonly kind: 'text'; readonly otp: SentOtp; readonly phone: MaskedPhone | null }
  /** The list of the factors that the person can add. */
  | { readonly kind: 'enrolment' }
  /** A new authenticator app, in three forms: its QR code, its recovery codes and its first code. */
  | { readonly kind: 'scan' | 'save' | 'confirm'; readonly totp: NewTotp }
  | { readonly kind: 'addPhone'; readonly channel: PhoneMethod }
  /** What the project asks of its users. */
  | { readonly kind: 'profile' };

/** A request of the second factor. */
export type FactorRequest =
  | { readonly kind: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly kind: 'webauthn' | 'addPasskey' | 'createTotp' }
  | { readonly kind: 'startRecovery' }
  | { readonly kind: 'send'; readonly channel: PhoneMethod; readonly phone: MaskedPhone }
  | ({ readonly kind: 'addPhone'; readonly channel: PhoneMethod; readonly edit: number } & EnteredPhone)
  | { readonly kind: 'text'; readonly code: string; readonly otp: SentOtp }
  | ({ readonly kind: 'profile'; readonly user_id: string } & ProfileEntry);

interface FactorForm {
  readonly step: MfaStep;
  readonly task: FactorTask;
  /** The person trusts this browser: from now on, logins in it need one factor. */
  readonly trusts: boolean;
  /** The error of the last request, until the person acts again. */
  readonly error: AuthError | null;
  /** The request that caused the error. */
  readonly failed: FactorRequest['kind'] | null;
  /** True for a session that proves a factor again, which has no login to go back to. */
  readonly isStepUp: boolean;
}

/** The second factor of a login. */
export type FactorState =
  /** The step is not known yet, after a reload. */
  | { readonly at: 'arriving'; readonly isStepUp: boolean }
  /** The step could not be loaded. */
  | { readonly at: 'failed'; readonly error: AuthError; readonly isStepUp: boolean }
  | ({ readonly at: 'resting' } & FactorForm)
  | ({ readonly at: 'working'; readonly doing: FactorRequest['kind'] } & FactorForm)
  /** The intermediate session is over: the person starts again with the first factor. */
  | { readonly at: 'over'; readonly error: AuthError }
  /** The screen is not shown. */
  | { readonly at: 'gone' };

/** A state with a form. */
export type FactorFormState = Extract<FactorState, FactorForm>;

/** The first form of the step: that of the strongest factor if it sends nothing by itself, else the list. */
export function firstTask(step: MfaStep): FactorTask {
  if (step.profile !== undefined) return { kind: 'profile' };
  if (step.factors.length === 0) return { kind: 'enrolment' };
  const [strongest] = choicesOf(step);
  return strongest === undefined || 'phone' in strongest ? { kind: 'choice' } : { kind: strongest.factor };
}

/** The progress of the removal of lost second factors. */
type RecoveryStage = 'none' | 'waiting' | 'ready';

/** @param now in milliseconds since 1970 */
export function recoveryStage({ recovery_pending: pending }: MfaStep, now: number): RecoveryStage {
  if (pending === null) return 'none';
  return Date.parse(pending.available_at) > now ? 'waiting' : 'ready';
}

/**
 * The state at the start of a step.
 *
 * @param trusts whether the person has trusted this browser in the step before
 */
export function beginStep(step: MfaStep, isStepUp = false, trusts = false): FactorState {
  return { at: 'resting', step, task: firstTask(step), trusts, error: null, failed: null, isStepUp };
}
