import type { RuleName } from './failure-rules.ts';

/**
 * The OAuth error codes (RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1; OpenID Connect Core, section 3.1.2.6;
 * OpenID Connect Core Error Code unmet_authentication_requirements; RFC 8707, section 2;
 * RFC 7591, section 3.2.2; RFC 8628, section 3.5), with their status at endpoints that apps call.
 */
export const OAUTH_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_client_metadata: 400,
  invalid_redirect_uri: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  unsupported_response_type: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
  registration_not_supported: 400,
  unmet_authentication_requirements: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
} as const;

export type OAuthErrorCode = keyof typeof OAUTH_STATUS;

export const isOAuthErrorCode = (error: string): error is OAuthErrorCode => Object.hasOwn(OAUTH_STATUS, error);

/** Not an error of the app: every client's first proof lacks the nonce, and a device polls until its user has decided. */
export const isExpected = (error: OAuthErrorCode): boolean =>
  error === 'use_dpop_nonce' || error === 'authorization_pending';

/** Additional information for the record of failed connections, which the app does not get. */
export interface FailureDetail {
  /** The broken rule; by default the usual one of the error. */
  readonly rule?: RuleName;
  /** The reason, if the answer does not contain it. */
  readonly reason?: string;
  /** Values that are not in the request, such as the audience of its token. */
  readonly sent?: Readonly<Record<string, string>>;
}

/** Refuses an app's request with an OAuth error. The description is for the app's developer. */
export class OAuthError extends Error {
  readonly status: (typeof OAUTH_STATUS)[OAuthErrorCode];

  /** @param detail recorded, but not part of the answer */
  constructor(
    readonly error: OAuthErrorCode,
    description: string,
    readonly detail: FailureDetail = {},
  ) {
    super(description);
    this.status = OAUTH_STATUS[error];
  }
}
