import type { SessionPage } from '#domain/rules/listed-session.ts';
import { endpoint } from './endpoint.ts';

/** The user's sessions in all browsers. An addition to the reference's wire. */
export const ownSessions = {
  /** A page of at most a hundred live sessions, most recently used first. */
  list: endpoint<SessionPage>()({ name: 'sessions.list', method: 'GET', path: '/users/sessions' }),
  /** The `next_cursor` of the previous page. */
  listAfter: endpoint<SessionPage>()({
    name: 'sessions.listAfter',
    method: 'GET',
    path: '/users/sessions/after/:cursor',
  }),
  /** Ends one session. */
  revokeOther: endpoint<object>()({
    name: 'sessions.revokeOther',
    method: 'POST',
    path: '/users/sessions/:session_id/revoke',
  }),
  /** Ends all sessions except the current one, and the access that was granted to apps in them. */
  revokeOthers: endpoint<object>()({
    name: 'sessions.revokeOthers',
    method: 'POST',
    path: '/users/sessions/revoke_others',
  }),
};
