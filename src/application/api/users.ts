import type { User } from '../../domain/user.ts';
import { endpoint } from './endpoint.ts';

export const users = {
  /** The signed-in user, flat beside `status_code` and `request_id`. */
  me: endpoint<User>()({ name: 'users.me', method: 'GET', path: '/users/me', reply: { user_id: 'string' } }),
  search: endpoint<{ readonly userType: 'new' | 'password' | 'passwordless' }>()({
    name: 'users.search',
    method: 'POST',
    path: '/users/search',
    body: { email: 'string', captcha_token: 'string?', dfp_telemetry_id: 'string?' },
    reply: { userType: 'string' },
  }),
};
