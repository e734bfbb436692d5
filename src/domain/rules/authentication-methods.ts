import type { MissingProof } from '../sessions/mfa.ts';
import type { AuthenticationFactor } from '../sessions/session.ts';
import { isRecord } from '../shape.ts';
import { isImpersonated, isProof, lastLogin, type SessionFactors } from './factors.ts';

/** The values of RFC 8176 for each type of factor; a factor's own `amr` is added. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ['password', ['pwd']],
  ['otp', ['otp']],
  ['magic_link', ['otp']],
  ['totp', ['otp']],
  ['recovery_codes', ['otp']],
  ['webauthn', ['pop']],
  ['crypto', ['pop']],
]);

/** The value of RFC 8176 for a proof of two factors together. */
export const TWO_FACTORS = 'mfa';

/** The authentication contexts by the levels of NIST SP 800-63B. The third would need a key with an attestation by its maker. */
export const CONTEXTS = { one: 'urn:portico:aal1', two: 'urn:portico:aal2' } as const;

/** The methods that the factor itself reports: a passkey that verified its user, a provider's ID token. */
function ownMethods(factor: AuthenticationFactor): readonly string[] {
  const own: unknown = factor['amr'];
  return Array.isArray(own) ? own.filter((value) => typeof value === 'string') : [];
}

/**
 * The thing that a factor proves. Two proofs of the same thing count as one factor: a recovery code replaces its authenticator app, codes
 * by SMS and WhatsApp reach the same phone, links and codes reach the same mailbox.
 */
export function kindOf(factor: AuthenticationFactor): string {
  const { type, delivery_method } = factor;
  if (type === 'totp' || type === 'recovery_codes') return 'totp';
  const phone = factor['phone_number_factor'];
  if (isRecord(phone)) return `phone:${String(phone['phone_id'])}`;
  if (type === 'otp' || type === 'magic_link') return delivery_method === 'embedded' ? 'embedded' : 'email';
  return type;
}

/** True for a factor that proves two things by itself. */
const isTwofold = (factor: AuthenticationFactor): boolean => ownMethods(factor).includes(TWO_FACTORS);

/** True for a proof that the user has a device: an authenticator app, a phone, a passkey or a wallet. */
function isOfDevice({ type, delivery_method }: AuthenticationFactor): boolean {
  if (type === 'otp') return delivery_method !== 'email';
  return ['totp', 'recovery_codes', 'webauthn', 'crypto'].includes(type);
}

/**
 * True if one factor proves two things by itself, or if one proves a device and another proves something else. A password and a mailbox are
 * not enough, and a trusted browser is no proof.
 */
export function provesTwo(factors: readonly AuthenticationFactor[]): boolean {
  const proofs = factors.filter((factor) => factor.type !== 'trusted_device' && isProof(factor));
  if (proofs.some(isTwofold)) return true;
  return proofs.some((factor) => isOfDevice(factor) && proofs.some((other) => kindOf(other) !== kindOf(factor)));
}

/** The `amr` of a session's tokens (RFC 8176), each value once. */
export function methodsOf({ authentication_factors }: SessionFactors): readonly string[] {
  const factors = authentication_factors.filter(isProof);
  const methods = factors.flatMap((factor) => [
    ...(METHODS.get(factor.type) ?? []),
    ...(factor.delivery_method === 'sms' ? ['sms'] : []),
    ...ownMethods(factor),
  ]);
  return [...new Set(provesTwo(factors) ? [...methods, TWO_FACTORS] : methods)];
}

/** The `acr` of a session's tokens (OpenID Connect Core 1.0, section 2). An impersonator has not proved anything about the user. */
export function contextOf(session: SessionFactors): string {
  return provesTwo(session.authentication_factors) && !isImpersonated(session) ? CONTEXTS.two : CONTEXTS.one;
}

/** The claims `amr`, `acr` and `auth_time` of a session's tokens (OpenID Connect Core 1.0, section 2). */
export function assuranceOf(session: SessionFactors & { readonly started_at: string }): {
  readonly amr: readonly string[];
  readonly acr: string;
  readonly auth_time?: number;
} {
  const at = lastProof(session);
  const time = at === null ? {} : { auth_time: Math.floor(at.getTime() / 1000) };
  return { amr: methodsOf(session), acr: contextOf(session), ...time };
}

/**
 * When the user last proved who they are, by factors that others may rely on. For an app's session without other factors, the time of its
 * start. Null if all its factors were added recently (see `isProof`).
 */
export function lastProof(session: SessionFactors & { readonly started_at: string | Date }): Date | null {
  const { authentication_factors: factors } = session;
  const proofs = factors.filter(isProof);
  if (proofs.length === 0 && factors.length > 0) return null;
  return lastLogin({ authentication_factors: proofs }) ?? new Date(session.started_at);
}

/** What a session must prove for one request. */
export interface RequiredProof {
  readonly factors?: 1 | 2 | undefined;
  readonly maxAgeMinutes?: number | undefined;
}

/**
 * The missing proof of the session; null if it proves enough. With two factors, the age is that of the last proof of a device.
 *
 * @param now in milliseconds since 1970
 */
export function missingProof(
  session: SessionFactors,
  { factors = 1, maxAgeMinutes }: RequiredProof,
  now: number,
): MissingProof | null {
  const proofs = session.authentication_factors.filter(isProof);
  if (factors === 2 && contextOf(session) !== CONTEXTS.two) return { factors: [], reason: 'second-factor' };
  if (maxAgeMinutes === undefined) return null;
  const counting = factors === 2 ? proofs.filter((factor) => isOfDevice(factor) || isTwofold(factor)) : proofs;
  const at = lastLogin({ authentication_factors: counting.filter(({ type }) => type !== 'trusted_device') });
  if (at !== null && now - at.getTime() <= maxAgeMinutes * 60_000) return null;
  return { factors: [...new Set(counting.map(({ type }) => type))], reason: 'too-old' };
}
