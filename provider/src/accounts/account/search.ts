import { sql } from 'kysely';
import { SchemaRefusal } from '../../../../src/domain/rules/refusal.ts';
import type { BackendRoutes } from '../sessions/contract.ts';
import { backendUser } from '../users/backend-user.ts';
import { selectUsers, wholeFrom } from '../users/read-user.ts';
import { cursorAt, placeOf } from './search-cursor.ts';
import { searchOf } from './search-filters.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Users who meet the query, the oldest first, a page at a time. */
export const searchUsers: BackendRoutes['users']['search'] = async (services, { body }) => {
  const { db, project } = services;
  const { query, cursor = '', limit = DEFAULT_LIMIT } = body;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    const message = `limit must be a whole number from 1 to ${MAX_LIMIT}`;
    throw new SchemaRefusal([{ dataPath: ['limit'], message }]);
  }
  const { condition, text } = searchOf(query);
  let page = selectUsers(db)
    .where(condition)
    .orderBy('users.created_at')
    .orderBy('users.user_id')
    .limit(limit + 1);
  if (cursor !== '') {
    const { created_at, user_id } = placeOf(services, text(), cursor);
    page = page.where(sql<boolean>`(users.created_at, users.user_id) > (${created_at}, ${user_id})`);
  }
  const rows = await page.execute();
  const { total } = await db
    .selectFrom('users')
    .where(condition)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    results: shown.map((row) => backendUser(project, wholeFrom(row))),
    results_metadata: {
      total: total,
      next_cursor: last === undefined ? null : cursorAt(services, text(), last),
    },
  };
};
