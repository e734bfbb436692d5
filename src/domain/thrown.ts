import { isAuthError, SDKAPIError, type AuthError } from './errors.ts';

/** Returns an `AuthError` unchanged. Any other thrown value becomes an API error of type `unknown_error` (section 8). */
export function toAuthError(cause: unknown): AuthError {
  if (isAuthError(cause)) return cause;
  const error = new SDKAPIError({
    status_code: 400,
    error_type: 'unknown_error',
    error_message: cause instanceof Error ? cause.message : String(cause),
    error_url: '',
  });
  error.cause = cause;
  return error;
}

/** The text to show for an error whose type has no translated message. */
export function errorText(error: AuthError): string {
  return error.kind === 'api' ? error.error_message : error.message;
}
