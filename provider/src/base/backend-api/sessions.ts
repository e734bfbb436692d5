import type { Session } from '#domain/sessions/session.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

/** The verdict of the RBAC policy on an action: the roles of the session that allow it. */
export interface Verdict {
  readonly authorized: boolean;
  readonly granting_roles: readonly string[];
}

const { session_duration_minutes, session_custom_claims } = SESSION_FIELDS;

export const sessions = {
  get: endpoint<{ readonly sessions: Session[] }>()({
    name: 'sessions.get',
    method: 'GET',
    path: '/sessions',
    query: { user_id: 'string' },
  }),
  authenticate: endpoint<Omit<BackendAuthenticated, 'user_id'> & { readonly verdict?: Verdict }>()({
    name: 'sessions.authenticate',
    method: 'POST',
    path: '/sessions/authenticate',
    body: { ...SESSION_FIELDS, authorization_check: 'object?' },
  }),
  revoke: endpoint<object>()({
    name: 'sessions.revoke',
    method: 'POST',
    path: '/sessions/revoke',
    body: { session_id: 'string?', session_token: 'string?', session_jwt: 'string?' },
  }),
  /** Ends all sessions of a user, and the access that apps were given in them. Not part of the reference's API. */
  revokeAll: endpoint<object>()({
    name: 'sessions.revokeAll',
    method: 'POST',
    path: '/sessions/revoke_all',
    body: { user_id: 'string', except_session_id: 'string?' },
  }),
  attest: endpoint<BackendAuthenticated>()({
    name: 'sessions.attest',
    method: 'POST',
    path: '/sessions/attest',
    body: { profile_id: 'string', token: 'string', ...SESSION_FIELDS },
  }),
  exchangeAccessToken: endpoint<BackendAuthenticated>()({
    name: 'sessions.exchangeAccessToken',
    method: 'POST',
    path: '/sessions/exchange_access_token',
    body: { access_token: 'string', session_duration_minutes, session_custom_claims },
  }),
  migrate: endpoint<BackendAuthenticated>()({
    name: 'sessions.migrate',
    method: 'POST',
    path: '/sessions/migrate',
    body: { session_token: 'string', session_duration_minutes, session_custom_claims },
  }),
};
