import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

/** The reply of a social login, with the provider's data about the user. */
export interface OAuthAuthenticated extends AuthenticationReply {
  readonly provider_subject: string;
  readonly provider_type: string;
  readonly profile_picture_url: string;
  readonly locale: string;
  readonly provider_values: {
    readonly access_token: string;
    readonly id_token: string;
    readonly refresh_token: string;
    readonly scopes: string[];
    readonly expires_at: string;
  };
}

export const oauth = {
  authenticate: endpoint<OAuthAuthenticated>()({
    name: 'oauth.authenticate',
    method: 'POST',
    path: '/oauth/authenticate',
    body: { token: 'string', code_verifier: 'string?', session_duration_minutes: 'number' },
    reply: AUTHENTICATED,
  }),
  /** A token for `oauth_attach_token` at the start of a social login, which attaches the account in this session. */
  attach: endpoint<{ readonly oauth_attach_token: string }>()({
    name: 'oauth.attach',
    method: 'POST',
    path: '/oauth/attach',
    body: { provider: 'string' },
  }),
  oneTapStart: endpoint<{ readonly google_client_id: string; readonly oauth_callback_id: string }>()({
    name: 'oauth.oneTapStart',
    method: 'POST',
    path: '/oauth/google/onetap/start',
    body: { public_token: 'string' },
    reply: { google_client_id: 'string', oauth_callback_id: 'string' },
  }),
  oneTapSubmit: endpoint<{ readonly redirect_url: string }>()({
    name: 'oauth.oneTapSubmit',
    method: 'POST',
    path: '/oauth/google/onetap/submit',
    spends: true,
    body: {
      public_token: 'string',
      id_token: 'string',
      oauth_callback_id: 'string',
      login_redirect_url: 'string?',
      signup_redirect_url: 'string?',
      code_challenge: 'string?',
    },
    reply: { redirect_url: 'string' },
  }),
};
