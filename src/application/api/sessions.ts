import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

export const sessions = {
  authenticate: endpoint<AuthenticationReply>()({
    name: 'sessions.authenticate',
    method: 'POST',
    path: '/sessions/authenticate',
    body: { session_duration_minutes: 'number?' },
    reply: AUTHENTICATED,
  }),
  revoke: endpoint<object>()({ name: 'sessions.revoke', method: 'POST', path: '/sessions/revoke' }),
  /** Exchanges an access token of this project's authorization server for a session. */
  exchangeAccessToken: endpoint<AuthenticationReply>()({
    name: 'sessions.exchangeAccessToken',
    method: 'POST',
    path: '/sessions/exchange_access_token',
    body: { access_token: 'string', session_duration_minutes: 'number' },
    reply: AUTHENTICATED,
  }),
  /** Exchanges a token of a trusted issuer (a trusted-auth-token profile) for a session. */
  attest: endpoint<AuthenticationReply>()({
    name: 'sessions.attest',
    method: 'POST',
    path: '/sessions/attest',
    body: {
      profile_id: 'string',
      token: 'string',
      session_duration_minutes: 'number?',
      session_token: 'string?',
      session_jwt: 'string?',
    },
    reply: AUTHENTICATED,
  }),
};
