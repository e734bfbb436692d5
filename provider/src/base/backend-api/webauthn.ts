import type { WebauthnRegistration } from '#domain/users/user.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

interface PasskeyRegistrationReply extends BackendAuthenticated {
  readonly webauthn_registration_id: string;
}

export interface WebauthnCredential {
  readonly credential_id: string;
  readonly webauthn_registration_id: string;
  readonly type: 'public-key';
  /** COSE (RFC 9052), base64url. */
  readonly public_key: string;
}

/** Values in the options are always base64url; `use_base64_url_encoding` has no effect. */
const START = {
  domain: 'string',
  return_passkey_credential_options: 'boolean?',
  use_base64_url_encoding: 'boolean?',
} as const;

export const webauthn = {
  registerStart: endpoint<{ readonly user_id: string; readonly public_key_credential_creation_options: string }>()({
    name: 'webauthn.registerStart',
    method: 'POST',
    path: '/webauthn/register/start',
    body: {
      ...START,
      user_id: 'string',
      user_agent: 'string?',
      authenticator_type: 'string?',
      override_id: 'string?',
      override_name: 'string?',
      override_display_name: 'string?',
    },
  }),
  register: endpoint<PasskeyRegistrationReply>()({
    name: 'webauthn.register',
    method: 'POST',
    path: '/webauthn/register',
    body: { ...SESSION_FIELDS, ...ATTRIBUTES, user_id: 'string', public_key_credential: 'string' },
  }),
  /** Without a user, the options are for any passkey. */
  authenticateStart: endpoint<{ readonly user_id: string; readonly public_key_credential_request_options: string }>()({
    name: 'webauthn.authenticateStart',
    method: 'POST',
    path: '/webauthn/authenticate/start',
    body: { ...START, user_id: 'string?' },
  }),
  authenticate: endpoint<PasskeyRegistrationReply>()({
    name: 'webauthn.authenticate',
    method: 'POST',
    path: '/webauthn/authenticate',
    body: { ...SESSION_FIELDS, ...ATTRIBUTES, public_key_credential: 'string' },
  }),
  update: endpoint<{ readonly webauthn_registration: WebauthnRegistration }>()({
    name: 'webauthn.update',
    method: 'PUT',
    path: '/webauthn/:webauthn_registration_id',
    body: { name: 'string' },
  }),
  listCredentials: endpoint<{ readonly credentials: readonly WebauthnCredential[] }>()({
    name: 'webauthn.listCredentials',
    method: 'GET',
    path: '/webauthn/credentials/:user_id/:domain',
  }),
};
