/** The OAuth error codes (RFC 6749, section 5.2; RFC 6750, section 3.1), with their status. */
const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_token: 401,
  insufficient_scope: 403,
} as const;

export type OAuthErrorCode = keyof typeof STATUS;

/** Refuses an app's request with an OAuth error. The description is for the app's developer. */
export class OAuthError extends Error {
  readonly status: (typeof STATUS)[OAuthErrorCode];

  constructor(
    readonly error: OAuthErrorCode,
    description: string,
  ) {
    super(description);
    this.status = STATUS[error];
  }
}
