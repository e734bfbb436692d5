/**
 * The messages of refusals that a person can resolve, for replies to browsers. English widgets show them unchanged: their own catalogue
 * contains only the types of the specification (section 8). Other languages translate them by type.
 */

const NOT_YOURS_ANY_MORE = 'This is no longer part of your account. Reload the page.';
/** Clients detect a wrong proof key by the word "pkce". */
const OTHER_BROWSER =
  'This link only works in the browser in which you asked for it (pkce). Open it there, or ask for a new one.';
const EXPIRED_LOGIN = 'This login has expired or was revoked. Log in again.';
const EXPIRED_REQUEST = 'This request has expired. Go back to the app and start again.';
const NOT_AVAILABLE = 'This option is not available here. Choose another one.';

/** The types with their own translation. */
export const TRANSLATED_TEXTS = {
  duplicate_email: 'This email address belongs to another account. Use another one, or log in with it.',
  phone_number_not_found: 'No account has this phone number.',
  duplicate_phone_number: 'This phone number belongs to another account. Use another one, or log in with it.',
  weak_password: 'This password is too easy to guess. Choose a longer or less common one.',
  password_too_long: 'This password is too long. Choose a shorter one.',
  active_totp_exists: 'You already have an authenticator app. Remove it before you add another.',
  totp_not_found: 'Your account has no authenticator app, or it was not confirmed in time. Set it up again.',
  recovery_code_not_found: 'This recovery code is wrong or was used. Enter another one.',
  recovery_codes_shown_once: 'Recovery codes are shown only once, when the authenticator app is set up.',
  cannot_delete_last_factor: 'This is your last way to log in. Add another one first.',
  too_many_factors: 'Your account has as many of these as it can have. Remove one first, then try again.',
  trusted_device_not_found: 'This browser is not trusted any more.',
  invalid_webauthn_name: 'Enter a name of 1 to 120 characters.',
  webauthn_challenge_not_found: 'This took too long. Use your passkey once more.',
  webauthn_verification_failed: 'This passkey could not be verified. Try again, or log in another way.',
  duplicate_webauthn_registration:
    'The Passkey cannot be created as it seems to be already registered. It is possible this Passkey was registered on another device but has synced cross-device.',
  crypto_wallet_challenge_not_found: 'This took too long. Connect your wallet once more.',
  invalid_crypto_wallet_signature:
    'The signature of your wallet could not be verified. Connect it once more. Smart contract wallets are not supported here.',
  unsupported_crypto_wallet: 'This kind of wallet is not supported here. Use another wallet, or log in another way.',
  duplicate_crypto_wallet: 'This wallet belongs to another account. Use another one.',
  oauth_config_not_found: NOT_AVAILABLE,
  pkce_mismatch: OTHER_BROWSER,
  mfa_required: 'This needs your second factor. Enter a code of your authenticator app first, then try again.',
  mfa_factor_not_allowed: 'This cannot be used for this sign-in. Please choose another way.',
  profile_required: 'Something is missing or cannot be used here. Please check what you entered.',
  too_many_mfa_attempts: 'Too many wrong codes. Please sign in again later.',
  intermediate_session_not_found: 'This sign-in has taken too long. Please sign in again.',
  login_required: 'Please log in again to continue.',
  consent_required: 'This app needs your permission first. Open it again.',
  account_mismatch: 'The app expects another account. Log out here, then log in with that account.',
  user_code_not_found: 'This code is wrong or has expired. Check it on the device, or start there again.',
  invalid_authorization_request: EXPIRED_REQUEST,
  invalid_access_token: EXPIRED_LOGIN,
  user_not_found: 'This account does not exist any more. Log in or sign up again.',
  sign_up_refused:
    'No new account can be made here this way. If you have one, log in as before. Else ask this site for an invitation.',
  hook_refused: 'This site does not let you in. Please contact its support.',
  user_locked: 'This account is locked. Please contact the support of this site.',
  too_many_requests: 'Too many requests. Please wait a little, then try again.',
  request_timeout: 'Your request took too long to arrive. Check your connection, then try again.',
  internal_server_error: 'Something went wrong on our side. Please try again.',
  service_unavailable: 'This service is busy right now. Please try again in a moment.',
} as const satisfies Readonly<Record<string, string>>;

/** The types that use the translation of another type. */
const SHARED = {
  biometric_registration_not_found: NOT_YOURS_ANY_MORE,
  crypto_wallet_not_found: NOT_YOURS_ANY_MORE,
  oauth_registration_not_found: NOT_YOURS_ANY_MORE,
  live_session_not_found: NOT_YOURS_ANY_MORE,
  route_not_found: NOT_AVAILABLE,
  unable_to_auth_impersonation_token: 'This link was already used or has expired. Please try again.',
  pkce_expected_code_verifier: OTHER_BROWSER,
  pkce_expected_code_challenge: OTHER_BROWSER,
  invalid_request_uri: EXPIRED_REQUEST,
  invalid_trusted_auth_token: EXPIRED_LOGIN,
  invalid_profile: TRANSLATED_TEXTS.profile_required,
  hook_unavailable: TRANSLATED_TEXTS.service_unavailable,
} as const satisfies Readonly<Record<string, string>>;

export const REFUSAL_TEXTS = { ...TRANSLATED_TEXTS, ...SHARED } as const;

export type TranslatedRefusal = keyof typeof TRANSLATED_TEXTS;
