import { endpoint } from '../api/endpoint.ts';
import type { BackendUser } from './reply.ts';

/** Wherever a path has a user id, it may be an external id. */
export const users = {
  get: endpoint<BackendUser>()({ name: 'users.get', method: 'GET', path: '/users/:user_id' }),
};
