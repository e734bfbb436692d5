import type { AuthError } from '../errors.ts';
import { isRecord } from '../shape.ts';

/** The `reason` in the server's error details, which is more precise than the error type; else an empty text. */
export function reasonOf(error: AuthError): string {
  const details = error.kind === 'api' ? error.error_details : null;
  const reason = isRecord(details) ? details['reason'] : null;
  return typeof reason === 'string' ? reason : '';
}

/** The reason of `reset_password` for a password known from a breach of another site. */
export const RESET_REASON = 'breached';

/** True for a correct password that must be reset because it is known from a breach of another site, not for another reason. */
export function isBreach(error: AuthError): boolean {
  if (error.kind !== 'api') return false;
  return error.error_type === 'breached_password' || reasonOf(error) === RESET_REASON;
}

/** True if the sent code is no longer valid (expired, or too many tries): the person needs a new code. */
export function isDeadCode(error: AuthError | null): boolean {
  if (error?.kind !== 'api' || error.error_type !== 'otp_code_not_found') return false;
  return ['expired', 'tries_used'].includes(reasonOf(error));
}

/** True if the same request may succeed later: no response, status 429, or a server error (5xx). */
export function mayRepeat(error: AuthError | null): boolean {
  if (error?.kind === 'unreachable') return true;
  return error?.kind === 'api' && (error.status_code === 429 || error.status_code >= 500);
}
