import type { BackendRoutes } from '../backend/mount-backend.ts';
import { readBackendUser, userIdOf } from './backend-user.ts';

export const users: BackendRoutes['users'] = {
  async get({ db, project }, { params }) {
    return readBackendUser(project, db, await userIdOf(db, params.user_id));
  },
};
