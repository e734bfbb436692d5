import type { User } from '../../domain/user.ts';
import { endpoint } from './endpoint.ts';

/** The signed-in user, flat beside `status_code` and `request_id`. A page needs it at its start, and few of the others. */
export const me = endpoint<User>()({
  name: 'users.me',
  method: 'GET',
  path: '/users/me',
  reply: { user_id: 'string' },
});
