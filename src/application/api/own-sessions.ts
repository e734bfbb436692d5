import type { SessionPage } from '../../domain/rules/listed-session.ts';
import { endpoint } from './endpoint.ts';

/** The user's sessions in all browsers. Not part of the reference's wire. */
export const ownSessions = {
  /** The live sessions, the one used last first: a page of at most a hundred. */
  list: endpoint<SessionPage>()({ name: 'sessions.list', method: 'GET', path: '/users/sessions' }),
  /** The page after that whose `next_cursor` this is. */
  listAfter: endpoint<SessionPage>()({
    name: 'sessions.listAfter',
    method: 'GET',
    path: '/users/sessions/after/:cursor',
  }),
  /** Ends one of them. */
  revokeOther: endpoint<object>()({
    name: 'sessions.revokeOther',
    method: 'POST',
    path: '/users/sessions/:session_id/revoke',
  }),
  /** Ends all of them but the one that asks, with the access that apps were given in them. */
  revokeOthers: endpoint<object>()({
    name: 'sessions.revokeOthers',
    method: 'POST',
    path: '/users/sessions/revoke_others',
  }),
};
