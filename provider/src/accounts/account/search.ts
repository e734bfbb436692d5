import { sql } from 'kysely';
import { SchemaRefusal } from '../../../../src/domain/rules/refusal.ts';
import { isRecord } from '../../../../src/domain/shape.ts';
import type { Db } from '../../base/db/database.ts';
import type { BackendRoutes } from '../sessions/contract.ts';
import { backendUser } from '../users/backend-user.ts';
import { selectUsers, wholeFrom } from '../users/read-user.ts';
import { cursorAt, placeOf } from './search-cursor.ts';
import { searchOf, type Search } from './search-filters.ts';

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
  const place = cursor === '' ? null : placeOf(services, text(), cursor);
  if (place !== null) {
    page = page.where(sql<boolean>`(users.created_at, users.user_id) > (${place.created_at}, ${place.user_id})`);
  }
  const rows = await page.execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  // The first page knows the number if it has all, and the later ones by their cursor.
  const total = place?.total ?? (last === undefined ? shown.length : await totalOf(db, condition));
  return {
    results: shown.map((row) => backendUser(project, wholeFrom(row))),
    results_metadata: {
      total,
      next_cursor: last === undefined ? null : cursorAt(services, text(), { ...last, total }),
    },
  };
};

/** More users than these are not counted: with millions it would take longer than a statement may. */
const MOST_COUNTED = 10_000;

/** The number of users: exact up to ten thousand, else PostgreSQL's estimate. */
async function totalOf(db: Db, condition: Search['condition']): Promise<number> {
  const found = db.selectFrom('users').where(condition).select('users.user_id');
  const [plan] = await found.explain('json');
  const estimate = estimateIn(plan);
  if (estimate > 2 * MOST_COUNTED) return estimate;
  const { counted } = await db
    .selectFrom(found.limit(MOST_COUNTED + 1).as('found'))
    .select(({ fn }) => fn.countAll<number>().as('counted'))
    .executeTakeFirstOrThrow();
  return counted > MOST_COUNTED ? Math.max(counted, estimate) : counted;
}

/** The number of rows that PostgreSQL expects, from the first node of a plan. */
function estimateIn(plan: unknown): number {
  const [first] = isRecord(plan) && Array.isArray(plan['QUERY PLAN']) ? (plan['QUERY PLAN'] as readonly unknown[]) : [];
  const node = isRecord(first) ? first['Plan'] : undefined;
  const rows = isRecord(node) ? node['Plan Rows'] : undefined;
  return typeof rows === 'number' ? rows : 0;
}
