import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import {
  factorsWith,
  MFA_FACTORS,
  type MaskedPhone,
  type MfaFactor,
  type MfaSettings,
  type MfaStep,
} from '#domain/sessions/mfa.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { kindOf, TWO_FACTORS } from '#domain/rules/authentication-methods.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import { lacksApp } from '#domain/rules/second-factor.ts';

/** The required proof of a login. `required_for_roles` requires it of these roles, and of every other user who has a second factor. */
export type MfaRequirement = 'when_enrolled' | 'required' | { readonly required_for_roles: readonly string[] };

/** The requirement for one user, which replaces the project's. */
export type UserMfaPolicy = 'when_enrolled' | 'required';

/** A social provider whose ID token can prove two factors, by one of these values of `amr` (RFC 8176) or of `acr`. */
export interface TrustedProvider {
  readonly provider: string;
  readonly amr: readonly string[];
  readonly acr: readonly string[];
}

/** How a person logged in at a social provider, according to its signed ID token (OpenID Connect Core 1.0, section 2). */
export interface ProviderAssurance {
  readonly amr: readonly string[];
  readonly acr: string | null;
}

/** The project's settings for the second factor. */
export interface MfaRules {
  readonly policy: MfaRequirement | 'off';
  /** The second factors that the project accepts. */
  readonly factors: readonly MfaFactor[];
  /** How long a browser can be trusted; null if it cannot. */
  readonly trusted_devices: { readonly days: number } | null;
  /** The social providers that the project trusts to report two factors; absent for none. */
  readonly trusted_providers?: readonly TrustedProvider[];
  readonly show_recovery_codes_again: boolean;
  /** The waiting time for the recovery of a user who lost every factor; null if there is no recovery. */
  readonly recovery_hours: number | null;
}

/** The rules of a project whose policy is not `off`. */
export type ActiveMfaRules = Omit<MfaRules, 'policy'> & { readonly policy: MfaRequirement };

export function isActive(rules: MfaRules | null): rules is ActiveMfaRules {
  return rules !== null && rules.policy !== 'off';
}

/** How long a login waits for its second factor. */
export const INTERMEDIATE_MINUTES = 10;

/** The fields of a user that the policy depends on. */
export interface MfaUser extends Pick<
  User,
  | 'roles'
  | 'totps'
  | 'emails'
  | 'phone_numbers'
  | 'webauthn_registrations'
  | 'providers'
  | 'crypto_wallets'
  | 'password'
> {
  readonly mfa_policy: UserMfaPolicy | null;
}

/** The missing factors of a login. */
export interface MissingFactors extends Pick<MfaStep, 'factors' | 'phone_numbers' | 'enrol'> {
  /** True if the factors do not complete the login, but allow the enrolment of another one. */
  readonly opensEnrolment: boolean;
  /** Whether a recovery would help. */
  readonly isRecoverable: boolean;
}

/** The type of second factor that a session's factor counts as; undefined if it can only be the first factor. */
function secondOf({
  type,
  delivery_method,
}: Pick<AuthenticationFactor, 'type' | 'delivery_method'>): MfaFactor | undefined {
  if (type === 'recovery_codes') return 'recovery_code';
  if (type === 'totp' || type === 'webauthn') return type;
  return type === 'otp' && isPhoneMethod(delivery_method) ? delivery_method : undefined;
}

/** True for a proof of two factors together: a passkey that verified its user, or a login at a provider that the project trusts. */
function isTwofold(rules: ActiveMfaRules, factor: AuthenticationFactor): boolean {
  const own: unknown = factor['amr'];
  if (factor.type === 'webauthn' && !rules.factors.includes('webauthn')) return false;
  const trusted = rules.trusted_providers ?? [];
  const isTrusted = trusted.some(({ provider }) => factor.delivery_method === `oauth_${provider}`);
  if (factor.type === 'oauth' && !isTrusted) return false;
  return Array.isArray(own) && own.includes(TWO_FACTORS);
}

/** True if the project trusts the provider and the provider reports that the person used two factors. */
export function isTwofoldAt(
  { trusted_providers = [] }: Pick<MfaRules, 'trusted_providers'>,
  name: string,
  { amr, acr }: ProviderAssurance,
): boolean {
  const trusted = trusted_providers.find(({ provider }) => provider === name);
  if (trusted === undefined) return false;
  return trusted.amr.some((value) => amr.includes(value)) || (acr !== null && trusted.acr.includes(acr));
}

/**
 * True if the factors contain a second factor that the project accepts and one of another kind, a proof of two factors together, or a
 * trusted browser with another factor.
 */
export function hasTwo(rules: ActiveMfaRules, factors: readonly AuthenticationFactor[]): boolean {
  if (factors.some(({ type }) => type === 'trusted_device')) return factors.length > 1;
  if (factors.some((factor) => isTwofold(rules, factor))) return true;
  return factors.some((factor) => {
    const second = secondOf(factor);
    if (second === undefined || !rules.factors.includes(second)) return false;
    // Possession of a passkey that did not verify its user is one factor. It does not complete another one.
    if (second === 'webauthn') return false;
    return factors.some((other) => kindOf(other) !== kindOf(factor));
  });
}

/**
 * False if the session would lack its second factor after an unconfirmed passkey is added: the passkey would be one, and these factors are
 * not two.
 */
export function mayAddSilently(rules: MfaRules | null, factors: readonly AuthenticationFactor[]): boolean {
  return !isActive(rules) || !rules.factors.includes('webauthn') || hasTwo(rules, factors);
}

/** True if there are two factors, and the last one proved is the second of them, or both together. A trusted browser is no proof. */
export function showsBoth(
  rules: ActiveMfaRules,
  factors: readonly AuthenticationFactor[],
  last: Pick<AuthenticationFactor, 'type' | 'delivery_method'>,
): boolean {
  const proofs = factors.filter(({ type }) => type !== 'trusted_device');
  const second = secondOf(last);
  const isSecond = second !== undefined && second !== 'webauthn' && rules.factors.includes(second);
  const isBoth = (factor: AuthenticationFactor) => factor.type === last.type && isTwofold(rules, factor);
  return (isSecond || proofs.some(isBoth)) && hasTwo(rules, proofs);
}

const phonesOf = ({ phone_numbers }: MfaUser) => phone_numbers.filter(({ verified }) => verified);

/** True if the user can only log in by a code to their phone number: it is then the first factor of every login, never the second. */
function isOnlyWayIn(user: MfaUser): boolean {
  const { emails, providers, crypto_wallets, webauthn_registrations, password } = user;
  const others = [providers, crypto_wallets, webauthn_registrations, emails.filter(({ verified }) => verified)];
  return phonesOf(user).length === 1 && password === null && others.every((each) => each.length === 0);
}

/** The second factors that the user has and the project accepts, the strongest first. */
function enrolledFactors({ factors }: ActiveMfaRules, user: MfaUser): readonly MfaFactor[] {
  const hasApp = user.totps.some(({ verified }) => verified);
  const hasPhone = phonesOf(user).length > 0 && !isOnlyWayIn(user);
  const has = { passkey: user.webauthn_registrations.length > 0, app: hasApp, phone: hasPhone };
  return factorsWith(has).filter((factor) => factors.includes(factor));
}

/**
 * True for a user who has a second factor that the project accepts, if the session's factors are not two proofs. Changes of the account
 * require both. A trusted browser is no proof: it only replaces the second factor of a login.
 */
export function lacksEnrolled(rules: ActiveMfaRules, user: MfaUser, factors: readonly AuthenticationFactor[]): boolean {
  return (
    enrolledFactors(rules, user).length > 0 &&
    !hasTwo(
      rules,
      factors.filter(({ type }) => type !== 'trusted_device'),
    )
  );
}

/**
 * True if the factors are not enough to change the account: they lack the user's authenticator app, whether or not the project accepts it
 * as a second factor, or the policy's two factors. The same rule applies to the factors of a session and of an incomplete login.
 */
export function lacksProof(
  rules: ActiveMfaRules | undefined,
  user: MfaUser,
  factors: readonly AuthenticationFactor[],
): boolean {
  return lacksApp(user, factors) || (rules !== undefined && lacksEnrolled(rules, user, factors));
}

function isRequired({ policy }: ActiveMfaRules, { roles, mfa_policy }: MfaUser): boolean {
  if (mfa_policy !== null) return mfa_policy === 'required';
  if (typeof policy === 'string') return policy === 'required';
  return policy.required_for_roles.some((role) => roles.includes(role));
}

/**
 * The missing factors of a login; null if its factors are enough. An impersonator proves nothing about the user, and is exempt.
 *
 * If the user has a second factor, the step lists it; otherwise it lists those that can be added. If the project does not accept the user's
 * authenticator app, the user proves the app first: the step lists only the app. Both lists are empty if the user's only second factor was
 * the first factor of this login, such as a code to their phone: any other login method completes it.
 */
export function missingFactors(
  rules: ActiveMfaRules,
  user: MfaUser,
  factors: readonly AuthenticationFactor[],
): MissingFactors | null {
  if (isImpersonated({ authentication_factors: factors }) || hasTwo(rules, factors)) return null;
  const enrolled = enrolledFactors(rules, user);
  if (enrolled.length === 0 && !isRequired(rules, user)) return null;
  if (enrolled.length === 0 && lacksProof(rules, user, factors)) {
    // An app that the project no longer accepts does not complete a login. It allows the enrolment of a factor that the project accepts.
    return {
      factors: ['totp', 'recovery_code'],
      phone_numbers: [],
      enrol: [],
      opensEnrolment: true,
      isRecoverable: true,
    };
  }
  if (enrolled.length === 0) {
    const enrol = MFA_FACTORS.filter((factor) => factor !== 'recovery_code' && rules.factors.includes(factor));
    return { factors: [], phone_numbers: [], enrol, opensEnrolment: false, isRecoverable: false };
  }
  const kinds = new Set(factors.map(kindOf));
  const phones = user.phone_numbers.filter(({ phone_id, verified }) => verified && !kinds.has(`phone:${phone_id}`));
  const open = enrolled.filter((factor) => {
    if (isPhoneMethod(factor)) return phones.length > 0;
    return factor === 'webauthn' || !kinds.has('totp');
  });
  const sendsTexts = open.some(isPhoneMethod);
  const isRecoverable = open.length > 0 && !(isByPhone(factors) && losesPhones(rules, user));
  const phone_numbers = sendsTexts ? phones.map(masked) : [];
  return { factors: open, phone_numbers, enrol: [], opensEnrolment: false, isRecoverable };
}

const isByPhone = (factors: readonly AuthenticationFactor[]): boolean =>
  factors.some((factor) => kindOf(factor).startsWith('phone:'));

/** True if a recovery removes the phones: they are second factors, and there is a verified email address for logins. */
const losesPhones = ({ factors }: ActiveMfaRules, { emails }: MfaUser): boolean =>
  factors.some(isPhoneMethod) && emails.some(({ verified }) => verified);

/**
 * The step in the wire's form. It offers no recovery to a user without a second factor. Nor does it to one who logged in with a phone that
 * is also a second factor: a recovery would remove the phone, and leave a login method that they have lost, or never had.
 */
export function mfaStep(
  { trusted_devices, recovery_hours }: ActiveMfaRules,
  { isRecoverable, factors, phone_numbers, enrol }: MissingFactors,
  { expires_at, recovery_at }: { readonly expires_at: Date; readonly recovery_at: Date | null },
): MfaStep {
  const isOffered = recovery_hours !== null && isRecoverable;
  return {
    factors,
    phone_numbers,
    enrol,
    expires_at: expires_at.toISOString(),
    trusted_device_days: trusted_devices?.days ?? null,
    recovery: isOffered ? { hours: recovery_hours } : null,
    recovery_pending: isOffered && recovery_at !== null ? { available_at: recovery_at.toISOString() } : null,
  };
}

const SHOWN_DIGITS = 2;

/** The first digit and the last two remain, because the length of the country code is not known here. */
function masked({ phone_id, phone_number }: { readonly phone_id: string; readonly phone_number: string }): MaskedPhone {
  return { phone_id, phone_number: `${phone_number.slice(0, 2)} ••• ••• •• ${phone_number.slice(-SHOWN_DIGITS)}` };
}

/** The settings that pages can read; undefined while the policy is off. */
export function shownMfaSettings(rules: MfaRules | null): MfaSettings | undefined {
  if (!isActive(rules)) return undefined;
  const { policy, factors, trusted_devices, recovery_hours } = rules;
  return {
    policy: typeof policy === 'string' ? policy : 'required_for_roles',
    factors: MFA_FACTORS.filter((factor) => factors.includes(factor)),
    trusted_device_days: trusted_devices?.days ?? null,
    recovery_hours,
  };
}
