import type { AuthError, SDKAPIError } from '../../../domain/errors.ts';
import { errorText } from '../../../domain/thrown.ts';
import { reasonOf } from '../../../domain/screens/refusals.ts';
import { wayOutOf } from '../../../domain/screens/ways-out.ts';
import { type ErrorKey, type StringOverrides, overlaid } from '../../messages/catalogue.ts';
import { errorTexts } from '../../messages/en/errors.ts';

/** The longest error text in characters: enough for a sentence, short enough to keep the form visible. */
const MAX_LENGTH = 400;

/** Error types that share another type's text. */
const SAME: Readonly<Record<string, string>> = {
  pkce_expected_code_verifier: 'pkce_mismatch',
  pkce_expected_code_challenge: 'pkce_mismatch',
  biometric_registration_not_found: 'gone',
  crypto_wallet_not_found: 'gone',
  oauth_registration_not_found: 'gone',
  connected_app_not_found: 'gone',
  live_session_not_found: 'gone',
  unable_to_auth_impersonation_token: 'unable_to_auth_magic_link',
  invalid_trusted_auth_token: 'invalid_access_token',
  invalid_request_uri: 'invalid_authorization_request',
  route_not_found: 'oauth_config_not_found',
};

/**
 * The key of the text of an API error, or null when there is none.
 *
 * @param ofApp the error is about a connected app's request: then a missing client is the app's fault, not a missing account
 */
function keyOf(error: SDKAPIError, ofApp: boolean): ErrorKey | null {
  const { error_type: type } = error;
  if (ofApp && type === 'connected_app_not_found') return 'error.app';
  if (type === 'captcha_required') return 'unreachable.captcha-required';
  const own = `error.${Object.hasOwn(SAME, type) ? SAME[type] : type}`;
  const known = [`${own}.${reasonOf(error)}`, own].find((key) => Object.hasOwn(errorTexts, key));
  return (known as ErrorKey | undefined) ?? (wayOutOf(error) === 'tell' ? 'error.app' : null);
}

/** True for a failure without a network; the text stays when there is one again. */
export const lacksNetwork = (error: AuthError): boolean =>
  error.kind === 'unreachable' && error.reason === 'network' && (error.problem === 'offline' || !navigator.onLine);

/** The error's text: the host's own or that of the widget's language, else the built-in English; null when there is none. */
function wordsFor(error: AuthError, overrides: StringOverrides | undefined, ofApp: boolean): string | null {
  const isOffline = lacksNetwork(error);
  if (error.kind === 'unreachable' && !isOffline) return overlaid(`unreachable.${error.reason}`, overrides);
  const key = isOffline ? 'unreachable.offline' : error.kind === 'api' ? keyOf(error, ofApp) : null;
  if (key === null) return null;
  const words = overlaid(key, overrides) ?? (errorTexts as Readonly<Partial<Record<ErrorKey, string>>>)[key] ?? null;
  return words?.replace('{message}', () => errorText(error)) ?? null;
}

/**
 * The text for an error: by its type, else its own message; null when it has none. The result must be rendered as plain text,
 * because it may contain the server's message.
 */
export function errorMessage(error: AuthError, overrides: StringOverrides | undefined, ofApp = false): string | null {
  const words = wordsFor(error, overrides, ofApp);
  if (words !== null) return shortened(words);
  const said: unknown = errorText(error);
  const own = typeof said === 'string' ? said.trim() : '';
  if (own === '') return null;
  return shortened(own);
}

const shortened = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
