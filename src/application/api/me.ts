import type { User } from '#domain/users/user.ts';
import { endpoint } from './endpoint.ts';

/** The signed-in user. The reply has the user's fields at its top level. It is a separate module, because a page needs it at its start. */
export const me = endpoint<User>()({
  name: 'users.me',
  method: 'GET',
  path: '/users/me',
  reply: { user_id: 'string' },
});
