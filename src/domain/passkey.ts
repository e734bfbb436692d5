/** What came of a passkey ceremony that did not succeed (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
import { errorText, isAuthError, SDKAPIError, toAuthError, type AuthError } from './errors.ts';
import { isRecord } from './shape.ts';

/**
 * - `cancelled`: the person ended it, nothing fitted, it took too long, or another ceremony took its place. The browser
 *   does not tell which, so that a site learns nothing of the person (section 14.5);
 * - `alreadyRegistered`: the authenticator holds one of the credentials to exclude (section 5.1.3);
 * - `timedOut`: somebody in the browser's place, such as a password manager, gave up waiting;
 * - `notAllowed`: the site may not use this domain, or this page no passkeys at all (sections 5.1.3 and 5.10);
 * - `unsupported`: neither the browser nor an authenticator can do what was asked (sections 5.1.3 and 6.3.2);
 * - `notFound`: the server does not know the passkey that was used (specification, section 8);
 * - `unknown`: anything else.
 */
export type PasskeyFailure =
  | 'cancelled'
  | 'alreadyRegistered'
  | 'timedOut'
  | 'notAllowed'
  | 'unsupported'
  | 'notFound'
  | 'unknown';

const FAILURES: ReadonlyMap<unknown, PasskeyFailure> = new Map<unknown, PasskeyFailure>([
  ['NotAllowedError', 'cancelled'],
  ['AbortError', 'cancelled'],
  ['InvalidStateError', 'alreadyRegistered'],
  ['TimeoutError', 'timedOut'],
  ['SecurityError', 'notAllowed'],
  ['NotSupportedError', 'unsupported'],
  ['ConstraintError', 'unsupported'],
]);

export const PASSKEY_NOT_FOUND = 'webauthn_registration_not_found';

/** Told by its name alone, because password managers reject with errors of their own making. */
export function passkeyFailure(thrown: unknown): PasskeyFailure {
  if (isAuthError(thrown))
    return thrown.kind === 'api' && thrown.error_type === PASSKEY_NOT_FOUND ? 'notFound' : 'unknown';
  return (isRecord(thrown) && FAILURES.get(thrown['name'])) || 'unknown';
}

/**
 * The error for a ceremony that failed. What the server or the network said stays; what the browser said becomes the one
 * of `errorType`, which the catalogue has words for.
 */
export function passkeyError(thrown: unknown, errorType: 'passkey_login_failed' | (string & {})): AuthError {
  if (isAuthError(thrown)) return thrown;
  const error = new SDKAPIError({
    status_code: 400,
    error_type: errorType,
    error_message: errorText(toAuthError(thrown)),
    error_url: '',
  });
  error.cause = thrown;
  return error;
}
