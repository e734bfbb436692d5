import type { PasswordStrength } from '#domain/passwords/password-strength.ts';
import type { Shape } from '#domain/shape.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated, type BackendUser } from './reply.ts';

/** The fields of a user that the app's own server can set. */
const DESCRIPTION = {
  name: 'object?',
  trusted_metadata: 'object?',
  untrusted_metadata: 'object?',
} as const satisfies Shape;

export const passwords = {
  create: endpoint<BackendAuthenticated & { readonly email_id: string }>()({
    name: 'passwords.create',
    method: 'POST',
    path: '/passwords',
    body: {
      email: 'string',
      password: 'string',
      session_duration_minutes: 'number?',
      session_custom_claims: 'object?',
      ...DESCRIPTION,
      ...ATTRIBUTES,
    },
  }),
  authenticate: endpoint<BackendAuthenticated>()({
    name: 'passwords.authenticate',
    method: 'POST',
    path: '/passwords/authenticate',
    body: { email: 'string', password: 'string', ...SESSION_FIELDS, ...ATTRIBUTES },
  }),
  strengthCheck: endpoint<PasswordStrength>()({
    name: 'passwords.strengthCheck',
    method: 'POST',
    path: '/passwords/strength_check',
    body: { email: 'string?', password: 'string', ...ATTRIBUTES },
  }),
  /** Gives an address the password that its user has in another system, of which only the hash is known. */
  migrate: endpoint<{
    readonly user_id: string;
    readonly email_id: string;
    readonly user_created: boolean;
    readonly user: BackendUser;
  }>()({
    name: 'passwords.migrate',
    method: 'POST',
    path: '/passwords/migrate',
    body: {
      email: 'string',
      hash: 'string',
      hash_type: 'string?',
      salt: 'string?',
      md_5_config: 'object?',
      argon_2_config: 'object?',
      sha_1_config: 'object?',
      sha_256_config: 'object?',
      sha_512_config: 'object?',
      scrypt_config: 'object?',
      pbkdf_2_config: 'object?',
      firebase_config: 'object?',
      set_email_verified: 'boolean?',
      phone_number: 'string?',
      set_phone_number_verified: 'boolean?',
      external_id: 'string?',
      roles: 'string[]?',
      ...DESCRIPTION,
    },
  }),
  /** Sends an email with a link to set a new password. Refuses an address without an active user. */
  resetByEmailStart: endpoint<{ readonly user_id: string; readonly email_id: string }>()({
    name: 'passwords.email.resetStart',
    method: 'POST',
    path: '/passwords/email/reset/start',
    body: {
      email: 'string',
      login_redirect_url: 'string?',
      reset_password_redirect_url: 'string?',
      reset_password_expiration_minutes: 'number?',
      reset_password_template_id: 'string?',
      locale: 'string?',
      code_challenge: 'string?',
      ...ATTRIBUTES,
    },
  }),
  resetByEmail: endpoint<BackendAuthenticated>()({
    name: 'passwords.email.reset',
    method: 'POST',
    path: '/passwords/email/reset',
    body: {
      token: 'string',
      password: 'string',
      code_verifier: 'string?',
      options: 'object?',
      ...SESSION_FIELDS,
      ...ATTRIBUTES,
    },
  }),
  resetByExistingPassword: endpoint<BackendAuthenticated>()({
    name: 'passwords.existingPassword.reset',
    method: 'POST',
    path: '/passwords/existing_password/reset',
    body: {
      email: 'string',
      existing_password: 'string',
      new_password: 'string',
      ...SESSION_FIELDS,
      ...ATTRIBUTES,
    },
  }),
  resetBySession: endpoint<BackendAuthenticated>()({
    name: 'passwords.sessions.reset',
    method: 'POST',
    path: '/passwords/session/reset',
    body: { password: 'string', ...SESSION_FIELDS, ...ATTRIBUTES },
  }),
};
