import type { Session } from '#domain/sessions/session.ts';
import { endpoint } from '#application/api/endpoint.ts';
import type { OAuthAuthenticated } from '#application/api/oauth.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

export const oauth = {
  /** A token for `oauth_attach_token` at the start of a social login, which attaches the account to the user. */
  attach: endpoint<{ readonly oauth_attach_token: string }>()({
    name: 'oauth.attach',
    method: 'POST',
    path: '/oauth/attach',
    body: { provider: 'string', user_id: 'string?', session_token: 'string?', session_jwt: 'string?' },
  }),
  authenticate: endpoint<
    BackendAuthenticated &
      Pick<OAuthAuthenticated, 'provider_subject' | 'provider_type' | 'provider_values'> & {
        readonly oauth_user_registration_id: string;
        /** The same as `session`, because some clients of this API read this field. */
        readonly user_session: Session | null;
        readonly reset_sessions: boolean;
      }
  >()({
    name: 'oauth.authenticate',
    method: 'POST',
    path: '/oauth/authenticate',
    body: { ...SESSION_FIELDS, ...ATTRIBUTES, token: 'string', code_verifier: 'string?' },
  }),
};
