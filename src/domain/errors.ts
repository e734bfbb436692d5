/**
 * The errors that the client throws (specification, section 8).
 *
 * Every class carries a brand, because two bundles on one page break `instanceof`: use `isAuthError` and `kind`.
 */

const BRAND = Symbol.for('portico.error');

abstract class BrandedError extends Error {
  readonly [BRAND] = true;
}

/** A method was called with invalid arguments. No request was sent. */
export class SDKUsageError extends BrandedError {
  readonly kind = 'usage';
  override readonly name = 'SDKUsageError';
  /** Only API errors have one. It is declared here so that every `AuthError` can be compared by it. */
  declare readonly error_type?: undefined;

  /** @param method the public name, such as `otps.authenticate` */
  constructor(
    readonly method: string,
    readonly details: string,
  ) {
    super(`Invalid call to ${method}\n${details}`);
  }
}

/** One field that the server refused: its path and the reason. */
export interface SchemaIssue {
  readonly dataPath: readonly string[];
  readonly message: string;
}

/** The server rejected the shape of the request. */
export class SDKSchemaError extends BrandedError {
  readonly kind = 'schema';
  override readonly name = 'SDKSchemaError';
  declare readonly error_type?: undefined;

  constructor(readonly issues: readonly SchemaIssue[]) {
    const lines = issues.map((issue) => `${issue.dataPath.join('.')}: ${issue.message}\n`);
    super(`[400] Request does not match expected schema\n${lines.join('')}`);
  }
}

/** The fields of an error reply, under the wire's names. */
export interface ApiErrorFields {
  readonly status_code: number;
  readonly error_type: string;
  readonly error_message: string;
  readonly error_url: string;
  readonly request_id?: string | undefined;
  readonly error_details?: unknown;
}

/** The server understood the request and refused it. */
export class SDKAPIError extends BrandedError implements ApiErrorFields {
  readonly kind = 'api';
  override readonly name = 'SDKAPIError';
  readonly status_code: number;
  readonly error_type: string;
  readonly error_message: string;
  readonly error_url: string;
  readonly request_id: string | undefined;
  readonly error_details: unknown;

  /** @param retryAfterMs the server's `Retry-After`, in milliseconds, when it sent one */
  constructor(
    fields: ApiErrorFields,
    readonly retryAfterMs: number | null = null,
  ) {
    // Errors without a response have neither.
    const more = fields.error_url ? `See ${fields.error_url} for more information.\n` : '';
    const requestId = fields.request_id ? `request_id: ${fields.request_id}\n` : '';
    super(`[${fields.status_code}] ${fields.error_type}\n${fields.error_message}\n${more}${requestId}`);
    this.status_code = fields.status_code;
    this.error_type = fields.error_type;
    this.error_message = fields.error_message;
    this.error_url = fields.error_url;
    this.request_id = fields.request_id;
    this.error_details = fields.error_details;
  }
}

const UNREACHABLE_TEXT = {
  network: 'Unable to contact our servers.',
  'invalid-json': 'Invalid JSON response from our servers.',
  'invalid-response': 'Invalid response from our servers.',
  /** The server requires a captcha, and the call could not provide one. */
  'captcha-required': 'Invalid response from our servers.',
} as const;

/**
 * The cause of a request without a response: the browser is offline, the time limit passed, the caller aborted it, a file of this
 * package could not be loaded, or unknown (`no-answer`). Browsers give pages no other cause.
 */
export type UnreachableProblem = 'offline' | 'timeout' | 'aborted' | 'file' | 'no-answer';

/** The reason for the missing or unusable response. */
export type UnreachableReason = keyof typeof UNREACHABLE_TEXT;

/** There was no usable response: no connection, not JSON, or not the reply that the call expects. */
export class SDKAPIUnreachableError extends BrandedError {
  readonly kind = 'unreachable';
  override readonly name = 'SDKAPIUnreachableError';
  declare readonly error_type?: undefined;

  /**
   * @param retryAfterMs the server's `Retry-After`, in milliseconds, when it sent one
   * @param url the requested URL: of the API, or of a file of this package; null when it is unknown
   * @param problem the cause of the failure; null for an unusable response
   */
  constructor(
    readonly reason: UnreachableReason,
    readonly retryAfterMs: number | null = null,
    readonly url: string | null = null,
    readonly problem: UnreachableProblem | null = null,
  ) {
    super(UNREACHABLE_TEXT[reason]);
  }
}

/** The error for a request or a file without a response. Without a URL, that of the file in the browser's error message is used. */
export function unreachable(cause: unknown, url?: string, online = true): SDKAPIUnreachableError {
  const { name, message = '' } = (cause ?? {}) as Partial<Error>;
  const requestProblem = name === 'TimeoutError' ? 'timeout' : name === 'AbortError' ? 'aborted' : 'no-answer';
  const problem = online ? (url === undefined ? 'file' : requestProblem) : 'offline';
  const error = new SDKAPIUnreachableError('network', null, url ?? /http\S+/u.exec(message)?.[0], problem);
  error.cause = cause;
  return error;
}

/** True for the error of a file of this package that did not load. */
export const isUnloaded = (error: unknown): error is SDKAPIUnreachableError =>
  (error as Partial<SDKAPIUnreachableError> | null)?.problem === 'file';

/** Every error that the client throws or rejects with. */
export type AuthError = SDKUsageError | SDKSchemaError | SDKAPIError | SDKAPIUnreachableError;

/** True for every error of this file, including one made by another copy of the package. */
export function isAuthError(value: unknown): value is AuthError {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}

/**
 * True when the server refused a call because it needs the user's second factor: the user has a verified TOTP, and the session
 * has not used it. The refusal (`error_type: 'mfa_required'`, status 403) does not change the session. After `totps.authenticate`
 * with a code of the authenticator app, or `totps.recover` with a recovery code, the same call succeeds.
 */
export function needsSecondFactor(error: unknown): error is SDKAPIError {
  return isAuthError(error) && error.kind === 'api' && error.error_type === 'mfa_required';
}

/** The server's `Retry-After` in milliseconds, or null when the error has none. */
export function retryAfterOf(error: unknown): number | null {
  return isAuthError(error) && (error.kind === 'api' || error.kind === 'unreachable') ? error.retryAfterMs : null;
}
