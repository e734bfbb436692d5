import type { BackendRoutes } from '../backend/mount-backend.ts';
import { readBackendUser, userIdOf } from '../users/backend-user.ts';
import { liveSessions } from './current.ts';
import { sessionFrom } from './store.ts';

export const sessions: BackendRoutes['sessions'] = {
  async get(services, { query }) {
    const { db, project } = services;
    const user = await readBackendUser(project, db, await userIdOf(db, query.user_id));
    const rows = await liveSessions(services, db)
      .where('sessions.user_id', '=', user.user_id)
      .orderBy('sessions.started_at')
      .execute();
    return { sessions: rows.map((row) => sessionFrom(row, user)) };
  },
};
