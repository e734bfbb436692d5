import type { PasswordStrength } from '#domain/passwords/password-strength.ts';
import type { Shape } from '#domain/shape.ts';
import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

const CREDENTIALS = {
  email: 'string',
  password: 'string',
  session_duration_minutes: 'number',
  captcha_token: 'string?',
  dfp_telemetry_id: 'string?',
} as const satisfies Shape;

export const passwords = {
  create: endpoint<AuthenticationReply & { readonly email_id: string }>()({
    name: 'passwords.create',
    method: 'POST',
    path: '/passwords',
    body: CREDENTIALS,
    reply: AUTHENTICATED,
  }),
  authenticate: endpoint<AuthenticationReply>()({
    name: 'passwords.authenticate',
    method: 'POST',
    path: '/passwords/authenticate',
    body: CREDENTIALS,
    reply: AUTHENTICATED,
  }),
  /** Sends an email with a link to set a new password. */
  resetByEmailStart: endpoint<object>()({
    name: 'passwords.resetByEmailStart',
    method: 'POST',
    path: '/passwords/email/reset/start',
    body: {
      email: 'string',
      login_redirect_url: 'string?',
      login_expiration_minutes: 'number?',
      reset_password_redirect_url: 'string?',
      reset_password_expiration_minutes: 'number?',
      reset_password_template_id: 'string?',
      locale: 'string?',
      code_challenge: 'string?',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
  }),
  /** The address to which a reset token was sent, without using it up. A used or expired token is rejected. Not in the reference client. */
  resetByEmailCheck: endpoint<{ readonly email: string }>()({
    name: 'passwords.resetByEmailCheck',
    method: 'POST',
    path: '/passwords/email/reset/check',
    body: { token: 'string' },
    reply: { email: 'string' },
  }),
  resetByEmail: endpoint<AuthenticationReply>()({
    name: 'passwords.resetByEmail',
    method: 'POST',
    path: '/passwords/email/reset',
    body: {
      token: 'string',
      password: 'string',
      code_verifier: 'string?',
      session_duration_minutes: 'number',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
    reply: AUTHENTICATED,
  }),
  resetByExistingPassword: endpoint<AuthenticationReply>()({
    name: 'passwords.resetByExistingPassword',
    method: 'POST',
    path: '/passwords/existing_password/reset',
    body: {
      email: 'string',
      existing_password: 'string',
      new_password: 'string',
      session_duration_minutes: 'number',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
    reply: AUTHENTICATED,
  }),
  resetBySession: endpoint<AuthenticationReply>()({
    name: 'passwords.resetBySession',
    method: 'POST',
    path: '/passwords/session/reset',
    body: {
      password: 'string',
      session_duration_minutes: 'number?',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
    reply: AUTHENTICATED,
  }),
  strengthCheck: endpoint<PasswordStrength>()({
    name: 'passwords.strengthCheck',
    method: 'POST',
    path: '/passwords/strength_check',
    body: { email: 'string?', password: 'string' },
  }),
};
