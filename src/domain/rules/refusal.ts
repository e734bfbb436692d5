import type { SchemaIssue } from '../errors.ts';
import { REFUSAL_TEXTS } from './refusal-texts.ts';

/**
 * The status 400 needs a cause: `request` for something that its sender corrects, `proof` for a refused proof or permission, which the
 * audit log records.
 */
type Row =
  | readonly [status: 400, message: string, cause: 'request' | 'proof']
  | readonly [status: 401 | 403 | 404 | 405 | 408 | 413 | 415 | 421 | 429 | 431 | 500 | 503, message: string];

/**
 * All refusals of this server, as data. Types of the specification's section 8 have the same spelling here. Only
 * `unauthorized_credentials`, `user_unauthenticated` and `session_not_found` make a client drop its session (section 4), so no other
 * refusal may have these names.
 */
export const REFUSALS = {
  invalid_email: [400, 'The email address does not have the form of one.', 'request'],
  email_template_not_found: [404, 'The project has no template with this id.'],
  email_not_found: [404, 'No user has this email address.'],
  duplicate_email: [400, 'The email address belongs to a user already.', 'request'],
  invalid_phone_number: [400, 'The phone number is not one in the E.164 format, such as +14155552671.', 'request'],
  invalid_phone_number_country_code: [400, 'Messages to phone numbers of that country are not sent.', 'request'],
  phone_number_not_found: [404, 'No user has this phone number.'],
  duplicate_phone_number: [400, 'The phone number belongs to a user already.', 'request'],
  weak_password: [400, 'The password is too weak for the policy of this project.', 'request'],
  breached_password: [400, 'The password is known from a breach of another site and must be reset.', 'proof'],
  reset_password: [400, 'The password must be reset by email before it can be used.', 'proof'],
  password_too_long: [400, 'A password has at most 4096 bytes.', 'request'],
  attributes_mismatch: [401, 'This comes from another address or browser than the request for the link or code.'],
  invite_not_found: [404, 'There is no pending invite to this address.'],
  invalid_hash: [400, 'The password hash, or its description, cannot be used.', 'request'],
  active_totp_exists: [400, 'The user has an authenticator app already.', 'request'],
  totp_not_found: [404, 'The user has no authenticator app, or it was not verified in time.'],
  recovery_code_not_found: [404, 'The recovery code is unknown or was used.'],
  too_many_factors: [400, 'The user has as many of these as a user can have: remove one first.', 'request'],
  cannot_delete_last_factor: [400, 'This is the last way in for the user: add another first.', 'proof'],
  biometric_registration_not_found: [404, 'The user has no such biometric registration.'],
  crypto_wallet_not_found: [404, 'The user has no such wallet.'],
  oauth_registration_not_found: [404, 'The user has no such social login.'],
  webauthn_registration_not_found: [404, 'The user has no such passkey.'],
  invalid_metadata: [400, 'Metadata is at most 4 kB of plain JSON, nested at most 16 deep.', 'request'],
  invalid_code: [400, 'A passcode has six digits.', 'request'],
  otp_code_not_found: [404, 'The passcode is wrong, was used or has expired, or too many wrong ones were entered.'],
  unable_to_auth_magic_link: [401, 'The magic link is unknown, was used or has expired.'],
  no_match_for_provided_magic_link_url: [
    400,
    'The URL is not registered: add it to redirect_urls of the project file.',
    'request',
  ],
  invalid_expiration_minutes: [400, 'The number of minutes until the message expires is out of range.', 'request'],
  invalid_session_duration: [400, 'session_duration_minutes must be a whole number from 5 to 527040.', 'request'],
  invalid_code_challenge: [400, 'code_challenge must be the 43 base64url characters of a SHA-256 (pkce).', 'request'],
  pkce_code_challenge_required: [400, 'This project requires pkce: send a code_challenge.', 'request'],
  pkce_expected_code_verifier: [400, 'This flow began with pkce: its code_verifier is missing.', 'request'],
  pkce_expected_code_challenge: [400, 'This flow began without pkce: it takes no code_verifier.', 'request'],
  pkce_mismatch: [400, 'The pkce code_verifier does not belong to the code_challenge of this flow.', 'proof'],
  invalid_domain: [
    400,
    'The domain is not the host of a page of this project: add its origin to origins of the project file.',
    'request',
  ],
  invalid_authenticator_type: [400, 'authenticator_type must be platform or cross-platform.', 'request'],
  invalid_override_id: [400, 'override_id must have 1 to 64 bytes.', 'request'],
  invalid_public_key_credential: [400, 'public_key_credential must be the JSON of a credential.', 'request'],
  invalid_webauthn_name: [400, 'A passkey has a name of 1 to 120 visible characters.', 'request'],
  webauthn_challenge_not_found: [400, 'The challenge is unknown, was used or has expired.', 'proof'],
  webauthn_verification_failed: [400, 'The credential does not answer the challenge.', 'proof'],
  duplicate_webauthn_registration: [400, 'The credential is registered already.', 'request'],
  invalid_crypto_wallet_type: [400, 'crypto_wallet_type must be ethereum or solana.', 'request'],
  invalid_crypto_wallet_address: [400, 'The address is not one of that type of wallet.', 'request'],
  invalid_siwe_params: [400, 'siwe_params cannot make an EIP-4361 message.', 'request'],
  crypto_wallet_challenge_not_found: [400, 'The wallet has no live challenge: start again.', 'proof'],
  invalid_crypto_wallet_signature: [400, 'The signature is not that of the wallet over its challenge.', 'proof'],
  unsupported_crypto_wallet: [400, 'The signature is that of a contract, not of the key of an account.', 'proof'],
  duplicate_crypto_wallet: [400, 'The wallet belongs to another user.', 'request'],
  oauth_config_not_found: [404, 'This social provider is unknown, or not set up here.'],
  oauth_token_not_found: [404, 'The OAuth token is unknown, was used or has expired.'],
  oauth_flow_callback_error: [400, 'The login at the social provider did not end well. Start again.', 'request'],
  no_login_redirect_urls_set: [
    400,
    'No login_redirect_url (of a widget: loginRedirectURL) was sent, and the project file has no default that is in redirect_urls.',
    'request',
  ],
  no_signup_redirect_urls_set: [
    400,
    'No signup_redirect_url (of a widget: signupRedirectURL) was sent, and the project file has no default that is in redirect_urls.',
    'request',
  ],
  no_match_for_provided_oauth_url: [
    400,
    'The URL is not registered: add it to redirect_urls of the project file.',
    'request',
  ],
  duplicate_parameter: [400, 'A parameter is there more than once.', 'request'],
  invalid_client: [401, 'The ID token is not one for this project.'],
  unable_to_auth_impersonation_token: [401, 'The impersonation token is unknown, was used or has expired.'],
  trusted_auth_token_profile_not_found: [404, 'The project has no trusted-auth-token profile of this id.'],
  invalid_trusted_auth_token: [401, 'The token is not a fresh one of the issuer of this profile.'],
  invalid_access_token: [401, 'The access token is unknown, was revoked or has expired.'],
  insufficient_scope: [403, 'The access token lacks the scope full_access.'],
  connected_app_not_found: [404, 'There is no such connected app.'],
  invalid_client_document: [400, 'The client_id is not the address of a document that describes the app.', 'request'],
  agent_awaits_approval: [
    403,
    'An operator of this project must approve the app first. Try again later: nothing was granted to it.',
  ],
  agent_refused: [403, 'An operator of this project has refused the app.'],
  connected_app_read_only: [400, 'The connected app is one of the project file: change it there.', 'request'],
  m2m_client_not_found: [404, 'There is no such M2M client.'],
  duplicate_client_id: [400, 'Another client has this client_id.', 'request'],
  weak_client_secret: [400, 'The client_secret is too easy to guess: leave it out, and a good one is made.', 'request'],
  public_client_has_no_secret: [400, 'A public client has no secret: it could not keep one.', 'request'],
  secret_rotation_already_started: [400, 'A rotation of the secret is under way: end or cancel it first.', 'request'],
  secret_rotation_not_started: [400, 'No rotation of the secret is under way.', 'request'],
  invalid_redirect_uri: [400, 'The redirect URI is not one that the app registered.', 'request'],
  invalid_post_logout_redirect_uri: [
    400,
    'The redirect URI is not one that the app registered for after the logout.',
    'request',
  ],
  invalid_id_token_hint: [400, 'The ID token is not one that this project gave to the app.', 'request'],
  unsupported_response_type: [400, 'response_type must be code.', 'request'],
  invalid_scope: [400, 'The app cannot ask for this scope.', 'request'],
  invalid_prompt: [400, 'prompt must be none, or some of login, consent, select_account and create.', 'request'],
  invalid_max_age: [400, 'max_age must be a whole number of seconds.', 'request'],
  unsupported_code_challenge_method: [400, 'code_challenge_method must be S256.', 'request'],
  invalid_authorization_request: [
    400,
    'The authorization_request is unknown, has expired or is for other parameters: start again at the app.',
    'request',
  ],
  user_code_not_found: [404, 'The code is wrong, was used or has expired: start again at the device.'],
  invalid_request_uri: [400, 'The request_uri is unknown, was used or has expired: start again at the app.', 'request'],
  authorization_request_required: [
    400,
    'The app must send the browser to the authorization endpoint, because it wants a login for this request.',
    'request',
  ],
  account_mismatch: [403, 'The app asked for another account than the one that is logged in.'],
  login_required: [403, 'The app asks for a fresh login: log in again.'],
  consent_required: [403, 'The app asks for what was not granted yet.'],
  live_session_not_found: [404, 'The user has no such live session.'],
  user_not_found: [404, 'There is no such user.'],
  admin_secret_required: [401, 'This call needs the secret that lies in the data folder.'],
  mfa_required: [403, 'This needs the second factor of the user: enter a code of the authenticator app first.'],
  intermediate_session_not_found: [
    401,
    'The login that lacks a second factor is unknown, over, or of another browser: log in again.',
  ],
  mfa_code_challenge_required: [
    400,
    'This login needs a second factor: send mfa_code_challenge with the first one, so that only this browser goes on.',
    'request',
  ],
  mfa_factor_not_allowed: [403, 'This factor cannot complete the login of this user.'],
  too_many_mfa_attempts: [429, 'Too many wrong second factors: log in again later.'],
  recovery_codes_shown_once: [403, 'This project shows recovery codes once, when they are made.'],
  trusted_device_not_found: [404, 'The user trusts no such browser.'],
  profile_required: [400, 'This site asks its users for more: something is missing.', 'proof'],
  invalid_profile: [400, 'The profile has a value that this project does not accept.', 'request'],
  unauthorized_action: [403, 'This is not allowed.'],
  dfp_telemetry_id_required: [400, 'This project wants a dfp_telemetry_id with this call.', 'request'],
  captcha_required: [403, 'Captcha required'],
  user_unauthenticated: [401, 'This call needs a session, and none was presented.'],
  session_proof_required: [401, 'The session is bound to a key of its browser: this call needs a proof by that key.'],
  invalid_dpop_proof: [401, 'The DPoP proof is not one for this call.'],
  use_dpop_nonce: [401, 'The DPoP proof needs the nonce of DPoP-Nonce.'],
  unauthorized_credentials: [401, 'The session that was presented is unknown, was revoked or has expired.'],
  session_not_found: [404, 'The session is unknown, was revoked or has expired.'],
  session_of_another_user: [400, 'The session belongs to another user than the one who is logged in.', 'proof'],
  session_migration_not_configured: [
    400,
    'Sessions of other servers are not migrated here. Exchange a token that the other server signs, with sessions.attest.',
    'request',
  ],
  session_authorization_error: [403, 'No role of the session may do this.'],
  bad_request: [400, 'The request does not have the form that this call wants.', 'request'],
  external_id_not_found: [404, 'The user has no external id.'],
  duplicate_external_id: [400, 'The external id belongs to a user already.', 'request'],
  invalid_external_id: [
    400,
    'An external id has 1 to 128 letters, digits and . _ - |, and is not in the form of a user id.',
    'request',
  ],
  not_exactly_one_factor: [
    400,
    'The user must have exactly one email address or phone number, and no other factor to log in with.',
    'request',
  ],
  invalid_role: [400, 'The RBAC policy of this project has no such role.', 'request'],
  invalid_session_custom_claims: [
    400,
    'Custom claims are at most 1,024 bytes of plain JSON, under names that no JWT reserves.',
    'request',
  ],
  password_not_found: [404, 'The user has no such password.'],
  operator_not_found: [404, 'There is no such operator.'],
  message_not_found: [404, 'There is no such message.'],
  browser_not_allowed: [403, 'Pages cannot call the backend API: its secret belongs on a server.'],
  project_not_found: [404, 'There is no such project here.'],
  project_secret_not_found: [404, 'The project has no such secret.'],
  too_many_project_secrets: [400, 'A project has at most ten secrets: revoke one first.', 'request'],
  rate_limit_exceeded: [429, 'Too many requests.'],
  missing_public_token: [401, 'The Authorization header must be Basic, with the public token as the user name.'],
  invalid_public_token: [401, 'No project here has this public token.'],
  unregistered_origin: [403, 'This origin is not registered in the project.'],
  sign_up_refused: [403, 'The sign_up of the project file lets no such person become a user.'],
  hook_refused: [403, 'The hook of the project file refuses this person.'],
  hook_unavailable: [503, 'The hook of the project file gave no valid answer, and its on_failure is refuse.'],
  user_locked: [403, 'The account is locked. Only the operator of this site can unlock it.'],
  user_lock_limit_reached: [429, 'Too many failed attempts for this user.'],
  too_many_requests: [429, 'Too many requests.'],
  route_not_found: [404, 'There is no such route.'],
  method_not_allowed: [405, 'The route does not know this method.'],
  request_timeout: [408, 'The body did not arrive in time.'],
  request_too_large: [413, 'The body is larger than 64 kB.'],
  request_headers_too_large: [431, 'The headers are larger than 16 kB.'],
  unsupported_media_type: [415, 'The body must be application/json.'],
  invalid_json: [400, 'The body is not JSON.', 'request'],
  misdirected_request: [421, 'This server does not answer for that host.'],
  internal_server_error: [500, 'Something went wrong here.'],
  service_unavailable: [503, 'The database cannot be reached or written.'],
} as const satisfies Readonly<Record<string, Row>>;

export type RefusalType = keyof typeof REFUSALS;

/** A refused request. `retryAfterSeconds` becomes the `Retry-After` header. */
export class Refusal extends Error {
  readonly status: number;

  constructor(
    readonly type: RefusalType,
    message?: string,
    readonly retryAfterSeconds?: number,
    /** Further details for the client; they become `error_details`. */
    readonly details?: Readonly<Record<string, string>>,
  ) {
    super(message ?? REFUSALS[type][1]);
    this.status = REFUSALS[type][0];
  }
}

const TEXTS: Readonly<Partial<Record<RefusalType, string>>> = REFUSAL_TEXTS;

/** The message of a refusal in a reply to a browser, which a widget shows to a person. */
export function textOf({ type, message }: Refusal): string {
  return message === REFUSALS[type][1] ? (TEXTS[type] ?? message) : message;
}

/** A body that does not have its endpoint's shape. */
export class SchemaRefusal extends Error {
  constructor(readonly body: readonly SchemaIssue[]) {
    super('The body does not have the expected shape.');
  }
}

/** The body of the reply to a browser for a refusal; `origin` is the origin at which the server was reached. */
export function refusalBody(refusal: Refusal | SchemaRefusal, request_id: string, origin: string): object {
  if (refusal instanceof SchemaRefusal) return { status_code: 400, request_id, body: refusal.body };
  return {
    status_code: refusal.status,
    request_id,
    error_type: refusal.type,
    error_message: textOf(refusal),
    error_url: `${origin}/errors/${refusal.type}`,
    ...(refusal.details === undefined ? {} : { error_details: refusal.details }),
  };
}
