import type { AuthError } from '#domain/errors.ts';
import { errorText } from '#domain/thrown.ts';
import type { SentOtp } from '#domain/passcodes/otp.ts';
import type { LoggableEvent } from '#domain/screens/events.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';

/** A named event for the server's event log (specification, section 7). Its details hold no secret. */
export interface LoggedEvent {
  readonly name: 'render_login_screen' | 'render_idp_screen' | 'email_sent' | 'email_try_again_clicked' | 'call_failed';
  readonly details: Readonly<Record<string, unknown>>;
  readonly error?: LoggedError;
}

/** The error of a failed call, with the wire's field names. */
export interface LoggedError {
  readonly error_code: string;
  readonly error_description: string;
  readonly http_status_code?: number;
}

const MAX_DESCRIPTION = 300;
/** 16 such characters in a row count as a token, a signature or a request's body, and six digits as a passcode. */
const OPAQUE = /\S{16,}|\d{6,}/gu;

/** Removes the sent values, which an error may repeat, and any text that looks like a secret. */
function withoutSecrets(text: string, requestValues: readonly unknown[]): string {
  const secrets = requestValues.filter((value): value is string => typeof value === 'string' && value !== '');
  const safeText = secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  return safeText.replaceAll(OPAQUE, '…').slice(0, MAX_DESCRIPTION);
}

/** @param requestValues the values of the request, which the error's text may repeat; they are not logged */
export function loggedError(error: AuthError, requestValues: readonly unknown[]): LoggedError {
  const error_description = withoutSecrets(errorText(error), requestValues);
  if (error.kind === 'api') {
    return { error_code: error.error_type, error_description, http_status_code: error.status_code };
  }
  if (error.kind === 'schema') return { error_code: 'schema_error', error_description, http_status_code: 400 };
  return { error_code: error.kind === 'usage' ? 'usage_error' : error.reason, error_description };
}

const MAGIC_LINK_TYPE = 'login_or_create_eml';
const CODE_TYPE = 'login_or_create_otp';
const RESET_TYPE = 'reset_password';

const SENT = 'email_sent';
const AGAIN = 'email_try_again_clicked';
/** Null without an address, because the message went to a telephone. */
const aboutMail = (name: typeof SENT | typeof AGAIN, email: string | null | undefined, type: string) =>
  typeof email === 'string' ? { name, details: { email, type } } : null;

const emailOf = (otp: SentOtp | null): string | null => (otp?.type === 'email' ? otp.destination : null);
/** The code that the screen waits for. */
function codeOf(screen: Screen): SentOtp | null {
  const at = 'message' in screen ? screen.message : screen;
  return at !== null && 'otp' in at ? at.otp : null;
}

/** The log entry for an event, or null. `from` is the screen on which the event happened. */
export function loggedEvent(event: LoggableEvent, from: Screen, config: LoginConfig): LoggedEvent | null {
  switch (event.type) {
    case 'bootstrap/loaded':
      if (from.name.startsWith('PasskeyRegistration')) return null;
      return {
        name: from.name === 'IDPConsent' ? 'render_idp_screen' : 'render_login_screen',
        details: { options: config, bootstrap: event.bootstrap },
      };
    case 'magicLink/sent':
      return aboutMail(SENT, event.email, MAGIC_LINK_TYPE);
    case 'otp/sent':
    case 'otp/resent':
      return aboutMail(SENT, emailOf(event.otp), CODE_TYPE);
    case 'password/passwordlessSent':
      return aboutMail(SENT, event.email, event.message.kind === 'link' ? MAGIC_LINK_TYPE : CODE_TYPE);
    case 'password/resetMailed':
      return aboutMail(SENT, event.email, RESET_TYPE);
    case 'password/resent':
      return aboutMail(SENT, 'email' in from ? from.email : null, RESET_TYPE);
    case 'magicLink/tryAgain':
      return aboutMail(AGAIN, from.name === 'EmailConfirmation' ? from.email : null, MAGIC_LINK_TYPE);
    case 'otp/resendRequested':
      return aboutMail(AGAIN, emailOf(codeOf(from)), CODE_TYPE);
    case 'password/resendRequested':
      return aboutMail(AGAIN, event.email, RESET_TYPE);
    case 'failed':
      return {
        name: 'call_failed',
        details: { asked: event.asked.type, screen: from.name },
        error: loggedError(event.error, Object.values(event.asked)),
      };
    case 'reported':
      return { name: 'call_failed', details: { screen: from.name }, error: loggedError(event.error, []) };
  }
}
