import type { AuthError } from '../errors.ts';

/**
 * What a person can do after an error:
 *
 * - `edit`: correct the input, in the form that shows the error;
 * - `again`: repeat the same action, immediately or later;
 * - `newMessage`: request another code or link;
 * - `start`: start again, or choose another login method;
 * - `tell`: report it, because only the developers of the app can fix it.
 */
export type WayOut = 'edit' | 'again' | 'newMessage' | 'start' | 'tell';

const LISTS: Readonly<Record<WayOut, string>> = {
  edit: `invalid_email email_not_found duplicate_email inactive_email invalid_phone_number phone_number_not_found
    invalid_phone_number_country_code duplicate_phone_number duplicate_member_phone_number unsubscribed_phone_number
    weak_password password_too_long unauthorized_credentials invalid_code recovery_code_not_found invalid_webauthn_name
    otp_code_not_found user_code_not_found profile_required invalid_profile`,
  again: `too_many_requests user_lock_limit_reached request_timeout internal_server_error service_unavailable hook_unavailable
    captcha_required webauthn_challenge_not_found webauthn_verification_failed webauthn_registration_not_found
    mfa_required duplicate_webauthn_registration crypto_wallet_request_pending`,
  newMessage: `unable_to_auth_magic_link unable_to_auth_impersonation_token reset_password breached_password
    pkce_mismatch pkce_expected_code_verifier pkce_expected_code_challenge`,
  start: `no_user_password member_password_not_found too_many_factors active_totp_exists totp_not_found cannot_delete_last_factor
    biometric_registration_not_found crypto_wallet_not_found oauth_registration_not_found connected_app_not_found
    crypto_wallet_challenge_not_found invalid_crypto_wallet_signature unsupported_crypto_wallet duplicate_crypto_wallet
    oauth_config_not_found
    oauth_token_not_found oauth_flow_callback_error user_not_found login_required consent_required account_mismatch
    invalid_authorization_request invalid_request_uri invalid_access_token
    invalid_trusted_auth_token user_unauthenticated unauthorized_action live_session_not_found invalid_session_token session_not_found
    user_locked intermediate_session_not_found mfa_factor_not_allowed too_many_mfa_attempts recovery_codes_shown_once
    trusted_device_not_found sign_up_refused hook_refused`,
  tell: `invalid_metadata no_match_for_provided_magic_link_url invalid_expiration_minutes invalid_session_duration
    invalid_code_challenge pkce_code_challenge_required mfa_code_challenge_required invalid_domain invalid_authenticator_type invalid_override_id
    invalid_public_key_credential invalid_crypto_wallet_type invalid_crypto_wallet_address invalid_siwe_params
    no_login_redirect_urls_set no_signup_redirect_urls_set no_match_for_provided_oauth_url duplicate_parameter
    invalid_client trusted_auth_token_profile_not_found insufficient_scope invalid_redirect_uri
    invalid_post_logout_redirect_uri invalid_id_token_hint unsupported_response_type invalid_scope invalid_prompt
    invalid_max_age authorization_request_required unsupported_code_challenge_method admin_secret_required dfp_telemetry_id_required
    missing_public_token invalid_public_token unregistered_origin route_not_found method_not_allowed request_too_large request_headers_too_large
    unsupported_media_type invalid_json misdirected_request email_template_not_found
    invalid_client_document agent_awaits_approval agent_refused insecure_page`,
};

const WAYS: ReadonlyMap<string, WayOut> = new Map(
  (Object.keys(LISTS) as WayOut[]).flatMap((way) => LISTS[way].split(/\s+/u).map((type) => [type, way] as const)),
);

/** The person's possible actions after an error, or null for an API error of an unknown type. */
export function wayOutOf(error: AuthError): WayOut | null {
  if (error.kind === 'unreachable') return 'again';
  if (error.kind !== 'api') return 'tell';
  return WAYS.get(error.error_type) ?? null;
}
