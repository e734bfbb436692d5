import { AUTHENTICATED, type Authenticated } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

export const sessions = {
  authenticate: endpoint<Authenticated>()({
    name: 'sessions.authenticate',
    method: 'POST',
    path: '/sessions/authenticate',
    body: { session_duration_minutes: 'number?' },
    reply: AUTHENTICATED,
  }),
  revoke: endpoint<object>()({ name: 'sessions.revoke', method: 'POST', path: '/sessions/revoke' }),
};
