import type { ProviderAssurance } from '#server-rules/mfa-policy.ts';
import type { AccountProfile, ProviderValues } from '../../social-accounts/tables.ts';

/** The secrets of one login, which only the browser's state can find. */
export interface Proofs {
  readonly nonce: string;
  readonly code_verifier: string;
}

/** A new login. */
export interface SocialAuthorizationRequest extends Proofs {
  /** The address of this server. */
  readonly origin: string;
  readonly redirect_uri: string;
  readonly state: string;
  /** The scopes that the app requests in addition to those of every login. */
  readonly custom_scopes: readonly string[];
  /** The app's parameters for the provider's page. */
  readonly provider_params: readonly (readonly [name: string, value: string])[];
}

/** A login that returned from the provider. */
export interface SocialAuthorizationResponse extends Proofs {
  readonly origin: string;
  readonly redirect_uri: string;
  readonly state: string;
  /** The provider's answer: the parameters of the query or the form. */
  readonly parameters: URLSearchParams;
}

export interface SocialLoginResult {
  readonly profile: AccountProfile;
  /** What the provider's signed ID token says about the login; absent without one. */
  readonly assurance?: ProviderAssurance;
  readonly values: ProviderValues;
}

/** One social provider. Both methods reject with a SocialFailure. */
export interface SocialProvider {
  /** Its name in messages, such as `GitHub`. */
  readonly label: string;
  /** True if it answers with a form that its page posts here (OAuth 2.0 Form Post Response Mode). */
  readonly answersByPost: boolean;
  /** The URL of the page on which a person logs in. */
  authorizationUrl(leaving: SocialAuthorizationRequest): Promise<string>;
  /** Checks the answer, exchanges its code, and reads the profile of the person who logged in. */
  exchange(returning: SocialAuthorizationResponse): Promise<SocialLoginResult>;
}

/** The errors with which a social login can end (RFC 6749, section 4.1.2.1). */
export type OAuthEnding = 'access_denied' | 'temporarily_unavailable' | 'server_error';

/** The error codes that providers use if the person went back. */
const DENIALS: ReadonlySet<string> = new Set([
  'access_denied',
  // Apple and LinkedIn.
  'user_cancelled_authorize',
  'user_cancelled_login',
]);

/** Maps an error of the provider. Other codes mean that this server's request was invalid, and become `server_error`. */
export function endingOf(error: string | null): OAuthEnding {
  if (error !== null && DENIALS.has(error)) return 'access_denied';
  return error === 'temporarily_unavailable' ? error : 'server_error';
}

/** A login that failed because of the provider or its answer. */
export class SocialFailure extends Error {
  constructor(
    /** The error for the app; `foreign` for another provider's answer, which is not redirected anywhere. */
    readonly ending: OAuthEnding | 'foreign',
    /** The reason for the operator. It quotes only error codes and host names. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** Such as ` (invalid_client)`: the provider's error code, if it looks like one. */
export function codeSuffix(error: unknown): string {
  return typeof error === 'string' && /^[a-z][a-z_]{1,60}$/iu.test(error) ? ` (${error})` : '';
}
