import { isPhoneMethod } from '../src/domain/contacts/phone-method.ts';
import {
  factorsWith,
  MFA_FACTORS,
  type MaskedPhone,
  type MfaFactor,
  type MfaSettings,
  type MfaStep,
} from '../src/domain/sessions/mfa.ts';
import type { AuthenticationFactor } from '../src/domain/sessions/session.ts';
import type { User } from '../src/domain/users/user.ts';
import { kindOf, TWO_FACTORS } from '../src/domain/rules/authentication-methods.ts';
import { isImpersonated } from '../src/domain/rules/factors.ts';
import { lacksApp } from '../src/domain/rules/second-factor.ts';

/** What a login must prove. `required_for_roles` requires it of these roles, and of everybody else who has a second factor. */
export type MfaRequirement = 'when_enrolled' | 'required' | { readonly required_for_roles: readonly string[] };

/** The requirement of one user, in the place of the project's. */
export type UserMfaPolicy = 'when_enrolled' | 'required';

/** A social provider whose ID token can prove two factors: by one of these values of `amr` (RFC 8176) or of `acr`. */
export interface TrustedProvider {
  readonly provider: string;
  readonly amr: readonly string[];
  readonly acr: readonly string[];
}

/** How a person logged in at a social provider, as its signed ID token says (OpenID Connect Core 1.0, section 2). */
export interface ProviderAssurance {
  readonly amr: readonly string[];
  readonly acr: string | null;
}

/** The project's settings of the second factor. */
export interface MfaRules {
  readonly policy: MfaRequirement | 'off';
  /** The second factors that the project accepts. */
  readonly factors: readonly MfaFactor[];
  /** For how long a browser can be trusted; null if it cannot. */
  readonly trusted_devices: { readonly days: number } | null;
  /** The social providers whose word for two factors counts; absent for none. */
  readonly trusted_providers?: readonly TrustedProvider[];
  readonly show_recovery_codes_again: boolean;
  /** How long the recovery of a user who lost every factor waits; null if there is none. */
  readonly recovery_hours: number | null;
}

/** The rules of a project whose policy is not `off`. */
export type ActiveMfaRules = Omit<MfaRules, 'policy'> & { readonly policy: MfaRequirement };

export function isActive(rules: MfaRules | null): rules is ActiveMfaRules {
  return rules !== null && rules.policy !== 'off';
}

/** How long a login waits for its second factor. */
export const INTERMEDIATE_MINUTES = 10;

/** The user, as far as the policy depends on them. */
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

/** What a login lacks. */
export interface MissingFactors extends Pick<MfaStep, 'factors' | 'phone_numbers' | 'enrol'> {
  /** Whether the factors complete no login, but open the enrolment of another one. */
  readonly opensEnrolment: boolean;
  /** Whether a recovery would help. */
  readonly isRecoverable: boolean;
}

/** The type of second factor as which a session's factor counts; undefined for one that can only be the first. */
function secondOf({
  type,
  delivery_method,
}: Pick<AuthenticationFactor, 'type' | 'delivery_method'>): MfaFactor | undefined {
  if (type === 'recovery_codes') return 'recovery_code';
  if (type === 'totp' || type === 'webauthn') return type;
  return type === 'otp' && isPhoneMethod(delivery_method) ? delivery_method : undefined;
}

/** True for a proof of two factors at once: a passkey that verified its user, or a login at a provider that the project trusts. */
function isTwofold(rules: ActiveMfaRules, factor: AuthenticationFactor): boolean {
  const own: unknown = factor['amr'];
  if (factor.type === 'webauthn' && !rules.factors.includes('webauthn')) return false;
  const trusted = rules.trusted_providers ?? [];
  const isTrusted = trusted.some(({ provider }) => factor.delivery_method === `oauth_${provider}`);
  if (factor.type === 'oauth' && !isTrusted) return false;
  return Array.isArray(own) && own.includes(TWO_FACTORS);
}

/** True when the project trusts the provider's word, and it says that the person used two factors. */
export function isTwofoldAt(
  { trusted_providers = [] }: Pick<MfaRules, 'trusted_providers'>,
  name: string,
  { amr, acr }: ProviderAssurance,
): boolean {
  const trusted = trusted_providers.find(({ provider }) => provider === name);
  if (trusted === undefined) return false;
  return trusted.amr.some((value) => amr.includes(value)) || (acr !== null && trusted.acr.includes(acr));
}

/** True when the factors are a second factor that the project accepts, and another one of a different kind. */
export function hasTwo(rules: ActiveMfaRules, factors: readonly AuthenticationFactor[]): boolean {
  if (factors.some(({ type }) => type === 'trusted_device')) return factors.length > 1;
  if (factors.some((factor) => isTwofold(rules, factor))) return true;
  return factors.some((factor) => {
    const second = secondOf(factor);
    if (second === undefined || !rules.factors.includes(second)) return false;
    // Possession of a passkey that did not verify its user is one factor, and completes no other.
    if (second === 'webauthn') return false;
    return factors.some((other) => kindOf(other) !== kindOf(factor));
  });
}

/** False where a passkey that nobody confirmed would be a second factor, which the session with these factors lacks from then on. */
export function mayAddSilently(rules: MfaRules | null, factors: readonly AuthenticationFactor[]): boolean {
  return !isActive(rules) || !rules.factors.includes('webauthn') || hasTwo(rules, factors);
}

/** True when the factors are two, and the one that was just proved is the second of them, or both at once. A trusted browser is no proof. */
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

/** True where a code to their number is the user's one way to log in: it is the first factor of every login then, and second to none. */
function isOnlyWayIn(user: MfaUser): boolean {
  const { emails, providers, crypto_wallets, webauthn_registrations, password } = user;
  const others = [providers, crypto_wallets, webauthn_registrations, emails.filter(({ verified }) => verified)];
  return phonesOf(user).length === 1 && password === null && others.every((each) => each.length === 0);
}

/** The second factors that the user has and the project accepts, in the project's strength. */
function enrolledFactors({ factors }: ActiveMfaRules, user: MfaUser): readonly MfaFactor[] {
  const hasApp = user.totps.some(({ verified }) => verified);
  const hasPhone = phonesOf(user).length > 0 && !isOnlyWayIn(user);
  const has = { passkey: user.webauthn_registrations.length > 0, app: hasApp, phone: hasPhone };
  return factorsWith(has).filter((factor) => factors.includes(factor));
}

/**
 * True for a user who has a second factor that the project accepts, where the session's factors are not two proofs. What changes the
 * account needs both then: a trusted browser is a proof of none, and spares a login its second factor only.
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
 * True where the factors are not enough to change the account: they lack the user's authenticator app, whether the project accepts it as a
 * second factor or not, or the policy's two factors. One rule for the factors of a session and of a login that lacks one.
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
 * What the factors of a login lack; null when they are enough. An impersonator proves nothing of the user, and is exempt.
 *
 * With a second factor the step lists it, and with none those that can be added. A user whose authenticator app the project does not
 * accept proves the app first: the step lists it alone. Both lists are empty when the user's one second
 * factor was the first of this login, such as a code to their phone: any other login method completes it.
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
    // An app that the project accepts no more completes no login. It opens the enrolment of what the project accepts now.
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

/** True where a recovery takes the phones away, because they are second factors and there is an address to log in with. */
const losesPhones = ({ factors }: ActiveMfaRules, { emails }: MfaUser): boolean =>
  factors.some(isPhoneMethod) && emails.some(({ verified }) => verified);

/**
 * The step as the wire shows it. A user who has no second factor has none to recover, nor has one whose phone is a second factor and was
 * the first of this login: a recovery would take the phone away, and leave a method that they lack, or never had.
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

/** The country code is not known here, so the first digit and the last two remain. */
function masked({ phone_id, phone_number }: { readonly phone_id: string; readonly phone_number: string }): MaskedPhone {
  return { phone_id, phone_number: `${phone_number.slice(0, 2)} ••• ••• •• ${phone_number.slice(-SHOWN_DIGITS)}` };
}

/** The settings as pages read them; undefined while the policy is off. */
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
