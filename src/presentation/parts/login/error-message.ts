import type { AuthError, SDKAPIError } from '#domain/errors.ts';
import { errorText } from '#domain/thrown.ts';
import { ceremonyText } from '#domain/passkeys/passkey.ts';
import { OWN_WORDS } from '#domain/rules/own-words.ts';
import { reasonOf } from '#domain/screens/refusals.ts';
import { wayOutOf } from '#domain/screens/ways-out.ts';
import { type ErrorKey, type StringOverrides, overlaid } from '../../messages/catalogue.ts';
import { errorTexts } from '../../messages/en/errors.ts';

/** The longest error text in characters: enough for a sentence, short enough to keep the form visible. */
const MAX_LENGTH = 400;

/** Error types that share another type's translation. */
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
  hook_unavailable: 'service_unavailable',
  invalid_profile: 'profile_required',
};

/** True for a failure without a network; the text stays when there is one again. */
export const lacksNetwork = (error: AuthError): boolean =>
  error.kind === 'unreachable' && error.reason === 'network' && (error.problem === 'offline' || !navigator.onLine);

const ENGLISH: Readonly<Record<string, string>> = errorTexts;

/** The text of a refusal: the host's own or that of the widget's language, else that of the specification; null when there is none. */
function wordsOfType(error: SDKAPIError, overrides: StringOverrides | undefined, ofApp: boolean): string | null {
  const { error_type: type } = error;
  const [textKey, reason] = ceremonyText(error) ?? [type, reasonOf(error)];
  if (reason === OWN_WORDS) return null;
  for (const key of [`error.${textKey}.${reason}`, `error.${textKey}`]) {
    const words = overlaid(key as ErrorKey, overrides) ?? (Object.hasOwn(ENGLISH, key) ? ENGLISH[key] : undefined);
    if (words !== undefined) return words;
  }
  // Several types can share a translation. In English they show the message of the server.
  const isOfApp = ofApp && type === 'connected_app_not_found';
  const shared =
    !isOfApp && Object.hasOwn(SAME, type) ? SAME[type] : wayOutOf(error) === 'tell' || isOfApp ? 'app' : null;
  return shared ? overlaid(`error.${shared}` as ErrorKey, overrides) : null;
}

/** The error's text; null when there is none. */
function wordsFor(error: AuthError, overrides: StringOverrides | undefined, ofApp: boolean): string | null {
  if (lacksNetwork(error)) return overlaid('unreachable.offline', overrides) ?? errorTexts['unreachable.offline'];
  if (error.kind === 'unreachable') return overlaid(`unreachable.${error.reason}`, overrides);
  if (error.kind !== 'api') return null;
  if (error.error_type === 'captcha_required') return overlaid('unreachable.captcha-required', overrides);
  return wordsOfType(error, overrides, ofApp)?.replace('{message}', () => errorText(error)) ?? null;
}

/**
 * The text for an error: by its type, else its own message (specification, section 8); null when it has none. The result must be
 * rendered as plain text, because it may contain the server's message.
 *
 * @param ofApp the error is about a connected app's request: then a missing client is the app's fault, not a missing account
 */
export function errorMessage(error: AuthError, overrides: StringOverrides | undefined, ofApp = false): string | null {
  const words = wordsFor(error, overrides, ofApp);
  if (words !== null) return shortened(words);
  const message: unknown = errorText(error);
  const own = typeof message === 'string' ? message.trim() : '';
  if (own === '') return null;
  return shortened(own);
}

const shortened = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);
