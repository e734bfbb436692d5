/** The failures of a passkey ceremony (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
import { isAuthError, SDKAPIError, type AuthError } from '../errors.ts';
import { errorText, toAuthError } from '../thrown.ts';
import { isRecord } from '../shape.ts';
import { wayOutOf } from '../screens/ways-out.ts';

/**
 * - `cancelled`: the person cancelled, no passkey matched, the time ran out, or another ceremony replaced this one. The browser does
 *   not report which, to protect the user's privacy (section 14.5);
 * - `alreadyRegistered`: the authenticator holds one of the excluded credentials (section 5.1.3);
 * - `timedOut`: software that replaces the browser's ceremony, such as a password manager, gave up waiting;
 * - `notAllowed`: the site may not use this domain, or this page may not use passkeys (sections 5.1.3 and 5.10);
 * - `unsupported`: the browser or the authenticators do not support the request (sections 5.1.3 and 6.3.2);
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

/** Classifies by the error's name only, because password managers reject with their own error objects. */
export function passkeyFailure(cause: unknown): PasskeyFailure {
  if (isAuthError(cause))
    return cause.kind === 'api' && cause.error_type === PASSKEY_NOT_FOUND ? 'notFound' : 'unknown';
  return (isRecord(cause) && FAILURES.get(cause['name'])) || 'unknown';
}

/** The type and the reason whose text a screen shows for an error. */
type ErrorText = readonly [type: string, reason: string];

const TEXTS = new WeakMap<AuthError, ErrorText>();

/** The text for a refused ceremony whose own type has none; undefined for any other error. */
export const ceremonyText = (error: AuthError): ErrorText | undefined => TEXTS.get(error);

/**
 * The error for a failed ceremony. An error of the network or of the server is returned unchanged, so that the host gets it; a screen shows
 * the text of `errorType` for a refusal of an unknown type. Any other error, which is the browser's, becomes an API error of `errorType`;
 * `cause` is the original.
 *
 * @param reason selects a text among those of the type
 */
export function passkeyError(
  cause: unknown,
  errorType: 'passkey_login_failed' | (string & {}),
  reason = '',
): AuthError {
  if (isAuthError(cause)) {
    if (wayOutOf(cause) === null) TEXTS.set(cause, [errorType, reason]);
    return cause;
  }
  const error = new SDKAPIError({
    status_code: 400,
    error_type: errorType,
    error_message: errorText(toAuthError(cause)),
    error_url: '',
    ...(reason !== '' && { error_details: { reason } }),
  });
  error.cause = cause;
  return error;
}

/**
 * The message for the browser's error of a creation (specification, section 8). If the authenticator already holds an excluded
 * credential, the error is an `InvalidStateError` (WebAuthn Level 3, sections 5.1.3 and 6.3.2). All other causes (the user, a
 * time-out, the site's name, the authenticator) have the same result: no passkey was created, and the button is still there.
 */
const CREATION_ERRORS: Readonly<Record<PasskeyFailure, string>> = {
  alreadyRegistered: 'passkey_already_registered',
  cancelled: 'passkey_not_created',
  timedOut: 'passkey_not_created',
  notAllowed: 'passkey_not_created',
  unsupported: 'passkey_not_created',
  notFound: 'passkey_not_created',
  unknown: 'passkey_not_created',
};

/**
 * The error of a passkey that was not created.
 *
 * @param at `elsewhere`: the screen has no "Create a Passkey" and "Skip", which the specification's text names
 */
export function creationError(cause: unknown, at: 'registration' | 'elsewhere'): AuthError {
  return passkeyError(cause, CREATION_ERRORS[passkeyFailure(cause)], at === 'elsewhere' ? at : '');
}
