import type { BackendRoutes } from '../backend/mount-backend.ts';
import { readBackendUser, userIdOf } from './backend-user.ts';

export const users: BackendRoutes['users'] = {
  async get({ db }, { params }) {
    return readBackendUser(db, await userIdOf(db, params.user_id));
  },
};
