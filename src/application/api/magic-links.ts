import type { Shape } from '#domain/shape.ts';
import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

/** The fields of a request that sends an email with a link. */
const LINK_FIELDS = {
  email: 'string',
  login_magic_link_url: 'string?',
  login_expiration_minutes: 'number?',
  login_template_id: 'string?',
  signup_magic_link_url: 'string?',
  signup_expiration_minutes: 'number?',
  signup_template_id: 'string?',
  locale: 'string?',
  code_challenge: 'string?',
  captcha_token: 'string?',
  dfp_telemetry_id: 'string?',
} as const satisfies Shape;

export const magicLinks = {
  /** Sends a link that logs in the user with this address, or signs up a new user. */
  loginOrCreate: endpoint<{ readonly user_id?: string }>()({
    name: 'magicLinks.loginOrCreate',
    method: 'POST',
    path: '/magic_links/email/login_or_create',
    body: { ...LINK_FIELDS, create_user_as_pending: 'boolean?' },
  }),
  /** Sends a link to an existing user's address. */
  sendPrimary: endpoint<object>()({
    name: 'magicLinks.sendPrimary',
    method: 'POST',
    path: '/magic_links/email/send/primary',
    body: LINK_FIELDS,
  }),
  /** Sends a link that adds the address to the signed-in user. */
  sendSecondary: endpoint<object>()({
    name: 'magicLinks.sendSecondary',
    method: 'POST',
    path: '/magic_links/email/send/secondary',
    body: LINK_FIELDS,
  }),
  authenticate: endpoint<AuthenticationReply & { readonly method_id: string }>()({
    name: 'magicLinks.authenticate',
    method: 'POST',
    path: '/magic_links/authenticate',
    body: { token: 'string', code_verifier: 'string?', session_duration_minutes: 'number' },
    reply: AUTHENTICATED,
  }),
};
