import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import { isRecord } from '#domain/shape.ts';
import { missingProof } from '#domain/rules/authentication-methods.ts';
import { isProof, stamped, type NewFactor, type SessionFactors } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';

/** The maximum age of a fresh proof, in minutes. */
export const FRESH_PROOF_MINUTES = 10;

/** The id of the password in sets of login methods, because its factor has no id. */
export const PASSWORD_METHOD = 'password';

/**
 * The id of trusted issuers' tokens in sets of login methods, because their factors do not contain the address that identified the user.
 */
export const ATTESTED_METHOD = 'trusted_auth_token';

const ID_FIELDS: Readonly<Record<string, string>> = {
  email_factor: 'email_id',
  phone_number_factor: 'phone_id',
  authenticator_app_factor: 'totp_id',
  recovery_code_factor: 'totp_id',
  webauthn_factor: 'webauthn_registration_id',
  crypto_wallet_factor: 'crypto_wallet_id',
};

/** The id of the login method that the factor proves; undefined for a proof of no such method, such as a link of the app's own server. */
export function methodOf(factor: AuthenticationFactor): string | undefined {
  if (factor.type === 'password') return PASSWORD_METHOD;
  if (factor.type === ATTESTED_METHOD) return ATTESTED_METHOD;
  for (const [name, detail] of Object.entries(factor)) {
    const field = ID_FIELDS[name] ?? (name.endsWith('_oauth_factor') ? 'id' : undefined);
    if (field !== undefined && isRecord(detail)) return String(detail[field]);
  }
  return undefined;
}

/** The user's new login methods. */
export interface Additions {
  /** The ids of those that were added in the session, after it began. */
  readonly here: ReadonlySet<string>;
  /** The ids of those that were recently added to an older account, here or elsewhere. */
  readonly young: ReadonlySet<string>;
  /** True if the user has an older method. */
  readonly hasOlder: boolean;
}

/** The id of the user's address that a social account's provider vouches for. */
function addressOf(factor: AuthenticationFactor): string | undefined {
  const detail = Object.entries(factor).find(([name]) => name.endsWith('_oauth_factor'))?.[1];
  return isRecord(detail) && typeof detail['email_id'] === 'string' ? detail['email_id'] : undefined;
}

/**
 * The session with only the factors that count as a login. A method that was added in it does not count, because its holder added it
 * without a proof. A recently added method does not count either, because whoever stole a session could start another one with it; it
 * counts only for users without an older one.
 */
export function withoutAdditions(session: SessionFactors, { here, young, hasOlder }: Additions): SessionFactors {
  const counts = (id: string): boolean => !here.has(id) && !(hasOlder && young.has(id));
  const isLogin = (factor: AuthenticationFactor): boolean => {
    const id = methodOf(factor);
    const address = addressOf(factor);
    return id === undefined || counts(id) || (address !== undefined && counts(address));
  };
  return { authentication_factors: session.authentication_factors.filter(isLogin) };
}

/** False for a factor that proves no login method of the user, such as an impersonation. Such a factor is never an addition. */
export const namesMethod = (factor: NewFactor): boolean => methodOf(stamped(factor, 0)) !== undefined;

/**
 * The factor as a session stores it. A factor of a new method is marked, unless an older method was proved in the last ten minutes: an
 * addition right after a login is as good as the login. A marked factor does not refresh a login, and is not a second factor for readers of
 * the session, its JWTs or ID tokens.
 *
 * @param before the factors that the login has already
 */
export function withAdditionMark(
  factor: NewFactor,
  before: readonly AuthenticationFactor[],
  additions: Additions,
  now: number,
): NewFactor {
  const older = (factors: readonly AuthenticationFactor[]) =>
    withoutAdditions({ authentication_factors: factors.filter(isProof) }, additions);
  if (older([stamped(factor, now)]).authentication_factors.length > 0) return factor;
  const isFresh = missingProof(older(before), { maxAgeMinutes: FRESH_PROOF_MINUTES }, now) === null;
  return isFresh ? factor : { ...factor, recently_added: true };
}

interface FreshProof {
  /** Whether the user has a second factor, besides those that were added in the session. */
  readonly hasSecondFactor: boolean;
  /** The ids of the login methods that were added in the session, after it began. */
  readonly added: ReadonlySet<string>;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/**
 * The refusal of a session whose last proof is older than ten minutes; null for a fresh one. It is `mfa_required` for a user with a second
 * factor, who proves that one again, else `login_required`. A method that was added in the session proves nothing, because whoever has a
 * stolen session can add one.
 */
export function staleProof(session: SessionFactors, { hasSecondFactor, added, now }: FreshProof): Refusal | null {
  // With a second factor, only the age of that one counts, so a new password is as good as the old one.
  const counts = (factor: AuthenticationFactor): boolean =>
    (hasSecondFactor && factor.type === 'password') || !added.has(methodOf(factor) ?? '');
  const proof = { authentication_factors: session.authentication_factors.filter(counts) };
  const required = { factors: hasSecondFactor ? 2 : 1, maxAgeMinutes: FRESH_PROOF_MINUTES } as const;
  if (missingProof(proof, required, now) === null) return null;
  return hasSecondFactor
    ? new Refusal('mfa_required', 'This needs the second factor again: the last proof is more than ten minutes old.')
    : new Refusal(
        'login_required',
        'This needs a login of the last ten minutes, by a method that you had before: log in again.',
      );
}

/** The user without these login methods. */
export function withoutMethods<U extends LoginMethods>(user: U, methodIds: ReadonlySet<string>): U {
  return {
    ...user,
    totps: user.totps.filter(({ totp_id }) => !methodIds.has(totp_id)),
    emails: user.emails.filter(({ email_id }) => !methodIds.has(email_id)),
    phone_numbers: user.phone_numbers.filter(({ phone_id }) => !methodIds.has(phone_id)),
    webauthn_registrations: user.webauthn_registrations.filter((each) => !methodIds.has(each.webauthn_registration_id)),
    providers: user.providers.filter((each) => !methodIds.has(each.oauth_user_registration_id)),
    crypto_wallets: user.crypto_wallets.filter((each) => !methodIds.has(each.crypto_wallet_id)),
    password: methodIds.has(PASSWORD_METHOD) ? null : user.password,
  };
}

/** The login methods that decide whether a factor is a second one: a phone that is the only way to log in is a first factor. */
type LoginMethods = Pick<
  User,
  'totps' | 'emails' | 'phone_numbers' | 'webauthn_registrations' | 'providers' | 'crypto_wallets' | 'password'
>;
