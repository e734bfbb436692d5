import type { AuthError } from './errors.ts';
import { isRecord } from './shape.ts';

/** The `reason` in the server's error details, which is more precise than the error type; else an empty text. */
export function reasonOf(error: AuthError): string {
  const details = error.kind === 'api' ? error.error_details : null;
  const reason = isRecord(details) ? details['reason'] : null;
  return typeof reason === 'string' ? reason : '';
}

/** True when the sent code cannot be used any more (expired, or too many tries): the person needs a new code. */
export function isDeadCode(error: AuthError | null): boolean {
  if (error?.kind !== 'api' || error.error_type !== 'otp_code_not_found') return false;
  return ['expired', 'tries_used'].includes(reasonOf(error));
}

/** True when the same request may succeed later: no answer, status 429, or a server error (5xx). */
export function mayRepeat(error: AuthError | null): boolean {
  if (error?.kind === 'unreachable') return true;
  return error?.kind === 'api' && (error.status_code === 429 || error.status_code >= 500);
}
