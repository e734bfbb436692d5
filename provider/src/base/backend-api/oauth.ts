import type { Session } from '../../../../src/domain/sessions/session.ts';
import { endpoint } from '../../../../src/application/api/endpoint.ts';
import type { OAuthAuthenticated } from '../../../../src/application/api/oauth.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

export const oauth = {
  /** A token for `oauth_attach_token` of a social login's start: its account is then attached to the user. */
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
        /** The same as `session`: some clients of this wire read this field. */
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
