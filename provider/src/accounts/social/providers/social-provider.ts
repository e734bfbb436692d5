import type { ProviderAssurance } from '../../../../../server-rules/mfa-policy.ts';
import type { AccountProfile, ProviderValues } from '../../social-accounts/tables.ts';

/** The secrets of one login, which only the browser's state can find. */
export interface Proofs {
  readonly nonce: string;
  readonly code_verifier: string;
}

/** A login that begins. */
export interface SocialAuthorizationRequest extends Proofs {
  /** The address of this server. */
  readonly origin: string;
  readonly redirect_uri: string;
  readonly state: string;
  /** The app's parameters besides the scopes of every login. */
  readonly custom_scopes: readonly string[];
  /** Parameters of the app for the provider's page. */
  readonly provider_params: readonly (readonly [name: string, value: string])[];
}

/** A login that the provider sent back. */
export interface SocialAuthorizationResponse extends Proofs {
  readonly origin: string;
  readonly redirect_uri: string;
  readonly state: string;
  /** The provider's answer: those of the query or of the form. */
  readonly parameters: URLSearchParams;
}

export interface SocialLoginResult {
  readonly profile: AccountProfile;
  /** What its signed ID token says of the login; absent without one. */
  readonly assurance?: ProviderAssurance;
  readonly values: ProviderValues;
}

/** One social provider. Both methods reject with a SocialFailure. */
export interface SocialProvider {
  /** Its name in messages, such as `GitHub`. */
  readonly label: string;
  /** True if it answers by a form that its page posts here (OAuth 2.0 Form Post Response Mode). */
  readonly answersByPost: boolean;
  /** The address of the page on which a person logs in. */
  authorizationUrl(leaving: SocialAuthorizationRequest): Promise<string>;
  /** Checks the answer, exchanges its code, and reads the person who logged in. */
  exchange(returning: SocialAuthorizationResponse): Promise<SocialLoginResult>;
}

/** The errors with which a social login can end (RFC 6749, section 4.1.2.1). */
export type OAuthEnding = 'access_denied' | 'temporarily_unavailable' | 'server_error';

/** The error codes of providers for a person who went back. */
const DENIALS: ReadonlySet<string> = new Set([
  'access_denied',
  // Apple and LinkedIn.
  'user_cancelled_authorize',
  'user_cancelled_login',
]);

/** Maps an error of the provider. Other codes mean an invalid request, which this server made, and become `server_error`. */
export function endingOf(error: string | null): OAuthEnding {
  if (error !== null && DENIALS.has(error)) return 'access_denied';
  return error === 'temporarily_unavailable' ? error : 'server_error';
}

/** A login that the provider, or its answer, does not let end well. */
export class SocialFailure extends Error {
  constructor(
    /** The error for the app; `foreign` for an answer of another provider, which leads nowhere. */
    readonly ending: OAuthEnding | 'foreign',
    /** The reason for the operator. It quotes nothing but error codes and host names. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** Such as ` (invalid_client)`: an error code of the provider, if it has the form of one. */
export function codeSuffix(error: unknown): string {
  return typeof error === 'string' && /^[a-z][a-z_]{1,60}$/iu.test(error) ? ` (${error})` : '';
}
