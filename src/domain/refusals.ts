import type { AuthError } from './errors.ts';
import { isRecord } from './shape.ts';

/** More of why the server refused than the type says, or an empty text. */
export function reasonOf(error: AuthError): string {
  const details = error.kind === 'api' ? error.error_details : null;
  const reason = isRecord(details) ? details['reason'] : null;
  return typeof reason === 'string' ? reason : '';
}

/** Whether no code is taken any more for what was sent: only a new one helps. */
export function isDeadCode(error: AuthError | null): boolean {
  if (error?.kind !== 'api' || error.error_type !== 'otp_code_not_found') return false;
  return ['expired', 'tries_used'].includes(reasonOf(error));
}

/** Whether the very same may well go through a little later: nothing was wrong with it. */
export function mayRepeat(error: AuthError | null): boolean {
  if (error?.kind === 'unreachable') return true;
  return error?.kind === 'api' && (error.status_code === 429 || error.status_code >= 500);
}
