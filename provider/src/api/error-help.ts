import { REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';

/** The field of the request, a header or the project file that an error is about, and the remedy. */
type Help = readonly [field: string, remedy: string];

const AGAIN = 'Start the login again.';
const NEW_CODE = 'Ask for a new one, and use it once and in time.';
const SAME_BROWSER = 'Finish the login in the browser in which it began, with the client that began it.';
const SEND_CHALLENGE = 'Begin with a code_challenge: our clients do, where the project requires it.';
const SIGN_IN = 'Log in again.';
const LIST = 'List what there is, and name one of these.';
const OTHER_USER = 'Log in as its user, or remove it there first.';
const LATER = 'Wait as long as Retry-After says. The limits are in limits of the project file.';
const OPERATOR = 'Ask an operator of this site.';
const APP = 'Correct the request of the app, or its registration: clients of the project file.';
const APP_AGAIN = 'Start again at the app.';
const PASSKEY_AGAIN = 'Begin the ceremony again, and send what the browser returns unchanged.';
const FORM = 'Send the form that the documentation of this call describes.';

const REDIRECTS = 'redirect_urls of the project file';
const SESSION = 'the session in the Authorization header or in a cookie';
const USER_ID = 'user_id';
const BODY = 'the body';

/** One row for each error. */
export const ERROR_HELP: Readonly<Record<RefusalType, Help>> = {
  invalid_email: ['email', 'Send one address, such as ada@example.com, without a name and without blanks.'],
  email_template_not_found: ['login_template_id, signup_template_id, reset_password_template_id', 'Leave it out, or name a template that the server has.'], // prettier-ignore
  email_not_found: ['email', 'Use loginOrCreate, which also signs up, or an address that a user has.'],
  duplicate_email: ['email', OTHER_USER],
  invalid_phone_number: ['phone_number', 'Send it with a plus and the country code, without extension.'],
  invalid_phone_number_country_code: ['phone_number', 'Add the country to sms_countries of the project file.'],
  phone_number_not_found: ['phone_number', 'Use loginOrCreate, which also signs up, or a number that a user has.'],
  duplicate_phone_number: ['phone_number', OTHER_USER],
  weak_password: ['password', 'Choose a longer one. password_strength_policy of the project file has the policy.'],
  breached_password: [
    'password',
    'Reset it by email. breach_detection of the project file turns the check on and off.',
  ],
  reset_password: ['password', 'Start a reset with passwords.resetByEmailStart.'],
  password_too_long: ['password', 'Choose a shorter one.'],
  attributes_mismatch: [
    'attributes',
    'Open the link where it was requested, or send other attributes with the request.',
  ],
  invite_not_found: ['email', 'Invite the address, or name one with a pending invite.'],
  invalid_hash: [
    'hash, hash_type and their options',
    'Send the hash as its format is documented for passwords.migrate.',
  ],
  active_totp_exists: ['none', 'Delete the present authenticator app first.'],
  totp_not_found: ['totp_id, totp_code', 'Create an authenticator app, and confirm it within expiration_minutes.'],
  recovery_code_not_found: ['recovery_code', 'Use another code, or start a recovery.'],
  too_many_factors: ['none', 'Remove one of the same kind first.'],
  cannot_delete_last_factor: ['the id in the path', 'Add another way to log in first.'],
  biometric_registration_not_found: ['the id in the path', LIST],
  crypto_wallet_not_found: ['the id in the path', LIST],
  oauth_registration_not_found: ['the id in the path', LIST],
  webauthn_registration_not_found: ['webauthn_registration_id', LIST],
  invalid_metadata: ['trusted_metadata, untrusted_metadata', 'Send less, as a plain JSON object.'],
  invalid_code: ['token', 'Send the six digits of the message.'],
  otp_code_not_found: ['token, method_id', NEW_CODE],
  unable_to_auth_magic_link: ['token', NEW_CODE],
  no_match_for_provided_magic_link_url: [
    `login_magic_link_url, signup_magic_link_url, login_redirect_url or reset_password_redirect_url of the request; ${REDIRECTS}`,
    'Add the exact URL to redirect_urls. A widget sends it from loginRedirectURL, signupRedirectURL or resetPasswordRedirectURL.',
  ],
  invalid_expiration_minutes: ['the field whose name ends with expiration_minutes', 'Send minutes, not seconds, in the range that the message names.'], // prettier-ignore
  invalid_session_duration: [
    'session_duration_minutes; session_max_minutes of the project file',
    'Send minutes, not seconds. A widget has sessionOptions.sessionDurationMinutes.',
  ],
  invalid_code_challenge: ['code_challenge', 'Send the SHA-256 of the verifier in base64url, without padding.'],
  pkce_code_challenge_required: [
    'code_challenge; the settings pkce_required_for_… of the project file',
    SEND_CHALLENGE,
  ],
  pkce_expected_code_verifier: ['code_verifier', SAME_BROWSER],
  pkce_expected_code_challenge: ['code_verifier', SEND_CHALLENGE],
  pkce_mismatch: ['code_verifier', SAME_BROWSER],
  invalid_domain: ['domain; origins and passkey_domain of the project file', 'Add the origin of the page to origins.'],
  invalid_authenticator_type: ['authenticator_type', 'Send platform or cross-platform, or leave it out.'],
  invalid_override_id: ['override_id', 'Send a shorter one, or leave it out.'],
  invalid_public_key_credential: ['public_key_credential', PASSKEY_AGAIN],
  invalid_webauthn_name: ['name', 'Send 1 to 120 visible characters.'],
  webauthn_challenge_not_found: ['public_key_credential', PASSKEY_AGAIN],
  webauthn_verification_failed: ['public_key_credential; origins of the project file', PASSKEY_AGAIN],
  duplicate_webauthn_registration: ['public_key_credential', 'Log in with it, or delete it at its user first.'],
  invalid_crypto_wallet_type: ['crypto_wallet_type', 'Send ethereum or solana.'],
  invalid_crypto_wallet_address: ['crypto_wallet_address', 'Send the address of that chain, as the wallet spells it.'],
  invalid_siwe_params: ['siwe_params; origins of the project file', 'Correct the parameter that the message names.'],
  crypto_wallet_challenge_not_found: ['crypto_wallet_address', AGAIN],
  invalid_crypto_wallet_signature: ['signature', 'Sign the challenge unchanged, with the wallet that asked for it.'],
  unsupported_crypto_wallet: [
    'signature',
    'Sign with the key of an account: 65 bytes. Signatures of contracts (EIP-1271, EIP-6492) are not verified.',
  ],
  duplicate_crypto_wallet: ['crypto_wallet_address', OTHER_USER],
  oauth_config_not_found: ['the provider in the path; oauth_providers and oauth_clients of the project file', 'Set the provider up there.'], // prettier-ignore
  oauth_token_not_found: ['token, oauth_attach_token', AGAIN],
  oauth_flow_callback_error: ['none', 'Start again in the same browser. The log of the server has the reason.'],
  no_login_redirect_urls_set: [`login_redirect_url; default_login_redirect_url and ${REDIRECTS}`, 'Register one.'],
  no_signup_redirect_urls_set: [`signup_redirect_url; default_signup_redirect_url and ${REDIRECTS}`, 'Register one.'],
  no_match_for_provided_oauth_url: [
    `login_redirect_url or signup_redirect_url of the request; ${REDIRECTS}`,
    'Add the exact URL to redirect_urls. A widget sends it from loginRedirectURL or signupRedirectURL of oauthOptions.',
  ],
  duplicate_parameter: ['the one that is there twice', 'Send each parameter once.'],
  invalid_client: ['id_token; oauth_clients of the project file', 'Use the client id of this project at the provider.'],
  unable_to_auth_impersonation_token: ['impersonation_token', 'Make a new one with the command impersonate.'],
  trusted_auth_token_profile_not_found: ['profile_id; trusted_auth_token_profiles of the project file', LIST],
  invalid_trusted_auth_token: ['token; trusted_auth_token_profiles of the project file', 'Send a fresh token of that issuer, for that audience.'], // prettier-ignore
  invalid_access_token: ['access_token', 'Let the app get a new one.'],
  insufficient_scope: ['access_token', 'Let the app ask for the scope full_access.'],
  connected_app_not_found: ['client_id; clients of the project file', LIST],
  invalid_client_document: ['client_id', 'Serve the document at that address, as JSON, with the same client_id in it.'],
  agent_awaits_approval: ['client_id', 'Try again when an operator has approved the app.'],
  agent_refused: ['client_id', OPERATOR],
  connected_app_read_only: ['client_id; clients of the project file', 'Change it in the project file.'],
  m2m_client_not_found: ['client_id', LIST],
  duplicate_client_id: ['client_id', 'Choose another, or leave it out.'],
  weak_client_secret: ['client_secret', 'Leave it out.'],
  public_client_has_no_secret: ['client_id', 'Make a confidential client, or go on without a secret.'],
  secret_rotation_already_started: ['client_id', 'End or cancel the rotation first.'],
  secret_rotation_not_started: ['client_id', 'Start a rotation first.'],
  invalid_redirect_uri: ['redirect_uri; redirect_uris of clients of the project file', APP],
  invalid_post_logout_redirect_uri: ['post_logout_redirect_uri; post_logout_redirect_uris of clients of the project file', APP], // prettier-ignore
  invalid_id_token_hint: ['id_token_hint', 'Send an ID token that this project gave to the app, or leave it out.'],
  unsupported_response_type: ['response_type', 'Send code.'],
  invalid_scope: ['scope; scopes of clients of the project file', APP],
  invalid_prompt: ['prompt', APP],
  invalid_max_age: ['max_age', APP],
  unsupported_code_challenge_method: ['code_challenge_method', 'Send S256.'],
  invalid_authorization_request: ['authorization_request', APP_AGAIN],
  user_code_not_found: ['user_code', 'Start again at the device.'],
  invalid_request_uri: ['request_uri', APP_AGAIN],
  authorization_request_required: [
    'none',
    'Send the browser to the authorization endpoint, not to the page of the consent.',
  ],
  account_mismatch: ['login_hint, id_token_hint', 'Log in with the account that the app asked for.'],
  login_required: [SESSION, SIGN_IN],
  consent_required: ['scope', 'Show the consent page, and submit what the person grants.'],
  live_session_not_found: ['session_id', LIST],
  user_not_found: [USER_ID, LIST],
  admin_secret_required: ['the Authorization header', 'Run the command on the machine of the server.'],
  mfa_required: [SESSION, 'Complete the second factor, or step up with mountLogin.'],
  intermediate_session_not_found: ['the intermediate session', SIGN_IN],
  mfa_code_challenge_required: [
    'mfa_code_challenge; mfa of the project file',
    'Send it with the first factor: our clients do.',
  ],
  mfa_factor_not_allowed: ['the factor; mfa.factors of the project file', 'Use another factor of the user.'],
  too_many_mfa_attempts: ['none', SIGN_IN],
  recovery_codes_shown_once: [
    'mfa.show_recovery_codes_again of the project file',
    'Make new codes with mfa.renewRecoveryCodes.',
  ],
  profile_required: [
    'profile of the project file; fields, terms',
    'Send the person to error_details.url, or send asks_profile and mfa_code_challenge with the login: our clients do where they show the login widget or have asksProfile: true.',
  ],
  invalid_profile: ['fields or terms; profile of the project file', 'Send a value that the field can have, and the current version of the terms.'], // prettier-ignore
  trusted_device_not_found: ['the id in the path', LIST],
  unauthorized_action: [SESSION, 'Use the session and the caller that the message names.'],
  dfp_telemetry_id_required: [
    'dfp_telemetry_id; dfp_protected_auth_enabled of the project file',
    'Let the client send telemetry.',
  ],
  captcha_required: ['captcha_token; captcha_settings of the project file', 'Send a fresh token of that site key.'],
  user_unauthenticated: [SESSION, 'Log in first.'],
  session_proof_required: ['the DPoP header', 'Use portico/bound in the page, which makes the proofs.'],
  invalid_dpop_proof: ['the DPoP header', 'Make a new proof for this method and address, with a clock that is right.'],
  use_dpop_nonce: ['the DPoP header', 'Repeat the call with the nonce of DPoP-Nonce: our clients do.'],
  unauthorized_credentials: [SESSION, SIGN_IN],
  session_not_found: [SESSION, SIGN_IN],
  session_of_another_user: ['session_token', 'Send the session of the same user, or none.'],
  session_migration_not_configured: ['none', 'Exchange a token with sessions.attest.'],
  session_authorization_error: [
    'authorization_check; rbac_policy of the project file',
    'Give the user a role that may do this.',
  ],
  bad_request: [BODY, FORM],
  external_id_not_found: ['external_id', LIST],
  duplicate_external_id: ['external_id', 'Choose another.'],
  invalid_external_id: ['external_id', 'Choose another.'],
  not_exactly_one_factor: [USER_ID, 'Remove the other factors, or create the link for another user.'],
  invalid_role: ['roles; rbac_policy of the project file', 'Add the role to rbac_policy.'],
  invalid_session_custom_claims: ['session_custom_claims', 'Send less, under other names.'],
  password_not_found: ['password_id', LIST],
  operator_not_found: ['the name of the operator', LIST],
  message_not_found: ['the id of the message', LIST],
  browser_not_allowed: ['the Origin header', 'Call the backend API from your server.'],
  project_not_found: [
    'the project id or public token',
    'Copy both from the lines that the server prints at its start.',
  ],
  project_secret_not_found: ['the id of the secret', LIST],
  too_many_project_secrets: ['none', 'Revoke a secret first.'],
  rate_limit_exceeded: ['none', LATER],
  missing_public_token: [
    'the Authorization header, or public_token',
    'Send the public token of the project as the user name of Basic.',
  ],
  invalid_public_token: [
    'publicToken of the client; public_token of the project file',
    'Copy the token that the server prints at its start, and check that apiUrl is the address of the same server.',
  ],
  unregistered_origin: ['the Origin header; origins of the project file', 'Add the origin of the page to origins, such as https://app.example.com.'], // prettier-ignore
  sign_up_refused: ['sign_up of the project file', 'Invite the person or make the user with the backend API, or change sign_up.policy.'], // prettier-ignore
  hook_refused: ['hooks of the project file', 'The server at its url refused this person, and chose the message.'],
  hook_unavailable: ['hooks of the project file', 'See the log for the reason, and correct the server at its url, or set on_failure to allow.'], // prettier-ignore
  user_locked: [USER_ID, OPERATOR],
  user_lock_limit_reached: [USER_ID, LATER],
  too_many_requests: ['none', LATER],
  route_not_found: ['the path', 'Check the path, and that apiUrl is the address of this server without a path.'],
  method_not_allowed: ['the method', 'Use the method that the documentation of this call names.'],
  request_timeout: [BODY, 'Send it faster, or again.'],
  request_too_large: [BODY, 'Send less.'],
  request_headers_too_large: ['the headers', 'Send fewer or shorter cookies.'],
  unsupported_media_type: ['the Content-Type header', 'Send application/json, or a form where the call takes one.'],
  invalid_json: [BODY, 'Send JSON in UTF-8.'],
  misdirected_request: [
    'the Host header; issuer of the project file',
    'Use the address that issuer names, or localhost with --dev.',
  ],
  internal_server_error: ['none', 'Look for the request id in the log of the server.'],
  service_unavailable: ['none', 'Try again later, and look at /readyz of the server.'],
};

/** The page that `error_url` of a reply leads to. */
export function errorHelp(type: RefusalType): string {
  const [field, remedy] = ERROR_HELP[type];
  return `${type}\n\nCause: ${REFUSALS[type][1]}\nField: ${field}.\nRemedy: ${remedy}\n`;
}

export function isRefusalType(type: string): type is RefusalType {
  return Object.hasOwn(REFUSALS, type);
}
