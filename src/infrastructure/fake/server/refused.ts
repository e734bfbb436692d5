import { errorReply, type FakeReply } from '../fake-reply.ts';

/** How the server says no: the types and statuses of the provider. */
export const STATUS = {
  invalid_email: 400,
  email_not_found: 404,
  duplicate_email: 400,
  invalid_phone_number: 400,
  phone_number_not_found: 404,
  duplicate_phone_number: 400,
  weak_password: 400,
  breached_password: 400,
  reset_password: 400,
  active_totp_exists: 400,
  totp_not_found: 404,
  recovery_code_not_found: 404,
  cannot_delete_last_factor: 400,
  biometric_registration_not_found: 404,
  crypto_wallet_not_found: 404,
  oauth_registration_not_found: 404,
  webauthn_registration_not_found: 404,
  invalid_code: 400,
  otp_code_not_found: 404,
  unable_to_auth_magic_link: 401,
  no_match_for_provided_magic_link_url: 400,
  invalid_expiration_minutes: 400,
  invalid_session_duration: 400,
  pkce_code_challenge_required: 400,
  pkce_expected_code_verifier: 400,
  pkce_expected_code_challenge: 400,
  pkce_mismatch: 400,
  invalid_domain: 400,
  invalid_public_key_credential: 400,
  invalid_webauthn_name: 400,
  webauthn_challenge_not_found: 400,
  webauthn_verification_failed: 400,
  duplicate_webauthn_registration: 400,
  invalid_crypto_wallet_type: 400,
  invalid_crypto_wallet_address: 400,
  invalid_siwe_params: 400,
  crypto_wallet_challenge_not_found: 400,
  invalid_crypto_wallet_signature: 400,
  duplicate_crypto_wallet: 400,
  oauth_config_not_found: 404,
  oauth_token_not_found: 404,
  oauth_flow_callback_error: 400,
  no_match_for_provided_oauth_url: 400,
  invalid_client: 401,
  unable_to_auth_impersonation_token: 401,
  trusted_auth_token_profile_not_found: 404,
  invalid_trusted_auth_token: 401,
  invalid_access_token: 401,
  insufficient_scope: 403,
  connected_app_not_found: 404,
  invalid_redirect_uri: 400,
  invalid_post_logout_redirect_uri: 400,
  invalid_id_token_hint: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_prompt: 400,
  login_required: 403,
  consent_required: 403,
  user_not_found: 404,
  unauthorized_action: 403,
  user_unauthenticated: 401,
  unauthorized_credentials: 401,
} as const;

export type RefusalType = keyof typeof STATUS;

/** Thrown where a call ends in a refusal. */
export class Refused extends Error {
  constructor(
    readonly error_type: RefusalType,
    private readonly details?: object,
  ) {
    super(error_type);
  }

  reply(): FakeReply {
    return errorReply(STATUS[this.error_type], this.error_type, this.error_type, this.details);
  }
}
