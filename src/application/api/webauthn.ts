import type { WebauthnRegistration } from '#domain/users/user.ts';
import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

/** The options of a passkey login. */
export interface RequestOptions {
  /** The options of WebAuthn Level 3, section 5.5, as JSON text. */
  readonly public_key_credential_request_options: string;
}

const LOGIN = {
  public_key_credential: 'string',
  session_duration_minutes: 'number',
  captcha_token: 'string?',
  dfp_telemetry_id: 'string?',
} as const;

const START = { domain: 'string', return_passkey_credential_options: 'boolean?' } as const;

export const webauthn = {
  registerStart: endpoint<{
    /** The options of WebAuthn Level 3, section 5.4, as JSON text. */
    readonly public_key_credential_creation_options: string;
  }>()({
    name: 'webauthn.registerStart',
    method: 'POST',
    path: '/webauthn/register/start',
    body: {
      domain: 'string',
      authenticator_type: 'string?',
      return_passkey_credential_options: 'boolean?',
      override_id: 'string?',
      override_name: 'string?',
      override_display_name: 'string?',
      user_agent: 'string?',
      use_base64_url_encoding: 'boolean?',
      conditional_mediation: 'boolean?',
    },
    reply: { public_key_credential_creation_options: 'string' },
  }),
  register: endpoint<AuthenticationReply & { readonly webauthn_registration_id: string }>()({
    name: 'webauthn.register',
    method: 'POST',
    path: '/webauthn/register',
    body: { public_key_credential: 'string', session_duration_minutes: 'number?', is_passkey: 'boolean?' },
    reply: AUTHENTICATED,
  }),
  /**
   * For a visitor who signs up with only a passkey (not in the reference client). The address becomes the name of the passkey, and stays
   * unverified.
   */
  signUpStart: endpoint<{
    /** The options of WebAuthn Level 3, section 5.4, as JSON text. */
    readonly public_key_credential_creation_options: string;
  }>()({
    name: 'webauthn.signUpStart',
    method: 'POST',
    path: '/webauthn/sign_up/start',
    body: { domain: 'string', email: 'string', user_agent: 'string?' },
    reply: { public_key_credential_creation_options: 'string' },
  }),
  signUp: endpoint<AuthenticationReply & { readonly webauthn_registration_id: string }>()({
    name: 'webauthn.signUp',
    method: 'POST',
    path: '/webauthn/sign_up',
    body: LOGIN,
    reply: AUTHENTICATED,
  }),
  authenticateStartPrimary: endpoint<RequestOptions>()({
    name: 'webauthn.authenticateStartPrimary',
    method: 'POST',
    path: '/webauthn/authenticate/start/primary',
    body: START,
    reply: { public_key_credential_request_options: 'string' },
  }),
  /** For the signed-in user: accepts only that user's credentials. */
  authenticateStartSecondary: endpoint<RequestOptions>()({
    name: 'webauthn.authenticateStartSecondary',
    method: 'POST',
    path: '/webauthn/authenticate/start/secondary',
    body: START,
    reply: { public_key_credential_request_options: 'string' },
  }),
  authenticate: endpoint<AuthenticationReply & { readonly webauthn_registration_id?: string }>()({
    name: 'webauthn.authenticate',
    method: 'POST',
    path: '/webauthn/authenticate',
    body: LOGIN,
    reply: AUTHENTICATED,
  }),
  update: endpoint<{ readonly webauthn_registration: WebauthnRegistration }>()({
    name: 'webauthn.update',
    method: 'PUT',
    path: '/webauthn/update/:webauthn_registration_id',
    body: { name: 'string' },
  }),
};
