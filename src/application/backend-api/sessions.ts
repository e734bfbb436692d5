import type { Session } from '../../domain/session.ts';
import { endpoint } from '../api/endpoint.ts';

export const sessions = {
  get: endpoint<{ readonly sessions: Session[] }>()({
    name: 'sessions.get',
    method: 'GET',
    path: '/sessions',
    query: { user_id: 'string' },
  }),
};
