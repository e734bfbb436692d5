import type { BackendRoutes } from '../backend/mount-backend.ts';
import { readUser } from '../users/read-user.ts';
import { userIdOf } from '../users/backend-user.ts';
import { liveSessions } from './current.ts';
import { sessionFrom } from './store.ts';

export const sessions: BackendRoutes['sessions'] = {
  async get(services, { query }) {
    const { db } = services;
    const user = await readUser(db, await userIdOf(db, query.user_id));
    const rows = await liveSessions(services, db)
      .where('sessions.user_id', '=', user.user_id)
      .orderBy('sessions.started_at')
      .execute();
    return { sessions: rows.map((row) => sessionFrom(row, user)) };
  },
};
