import type { Shape } from '#domain/shape.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

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
  ...ATTRIBUTES,
} as const satisfies Shape;

interface SentLink {
  readonly user_id: string;
  readonly email_id: string;
}

export const magicLinks = {
  /** Makes a token that the app delivers itself. It logs in its user, and verifies no address. */
  create: endpoint<{ readonly user_id: string; readonly token: string }>()({
    name: 'magicLinks.create',
    method: 'POST',
    path: '/magic_links',
    body: { user_id: 'string', expiration_minutes: 'number?', ...ATTRIBUTES },
  }),
  authenticate: endpoint<
    BackendAuthenticated & {
      readonly method_id: string;
      /** Whether this first verification ended all earlier access, including other sessions. */
      readonly reset_sessions: boolean;
    }
  >()({
    name: 'magicLinks.authenticate',
    method: 'POST',
    path: '/magic_links/authenticate',
    body: { token: 'string', code_verifier: 'string?', options: 'object?', ...SESSION_FIELDS, ...ATTRIBUTES },
  }),
  emailLoginOrCreate: endpoint<SentLink & { readonly user_created: boolean }>()({
    name: 'magicLinks.email.loginOrCreate',
    method: 'POST',
    path: '/magic_links/email/login_or_create',
    body: { ...LINK_FIELDS, create_user_as_pending: 'boolean?' },
  }),
  /** Sends to a known address, or to an address to add to the user of `user_id` or of the session. */
  emailSend: endpoint<SentLink>()({
    name: 'magicLinks.email.send',
    method: 'POST',
    path: '/magic_links/email/send',
    body: { ...LINK_FIELDS, user_id: 'string?', session_token: 'string?', session_jwt: 'string?' },
  }),
  /** Creates a pending user, or finds one, and sends an invitation. */
  emailInvite: endpoint<SentLink>()({
    name: 'magicLinks.email.invite',
    method: 'POST',
    path: '/magic_links/email/invite',
    body: {
      email: 'string',
      invite_magic_link_url: 'string?',
      invite_expiration_minutes: 'number?',
      invite_template_id: 'string?',
      name: 'object?',
      trusted_metadata: 'object?',
      untrusted_metadata: 'object?',
      locale: 'string?',
      ...ATTRIBUTES,
    },
  }),
  /** Invalidates the links of all invitations to the address. */
  emailRevokeInvite: endpoint<object>()({
    name: 'magicLinks.email.revokeInvite',
    method: 'POST',
    path: '/magic_links/email/revoke_invite',
    body: { email: 'string' },
  }),
};
