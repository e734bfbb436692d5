import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { SchemaRefusal } from '../../../../src/domain/rules/refusal.ts';
import { isRecord } from '../../../../src/domain/shape.ts';
import type { Database, Db } from '../../base/db/database.ts';
import type { BackendRoutes } from '../sessions/contract.ts';
import { backendUser } from '../users/backend-user.ts';
import { selectUsers, wholeFrom } from '../users/read-user.ts';
import { cursorAt, placeOf, type Place } from './search-cursor.ts';
import { searchOf, type ContactTable, type Search } from './search-filters.ts';

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
  const search = searchOf(query);
  const { text, unverified } = search;
  const placeIn = (): Place | null => (cursor === '' ? null : placeOf(services, text(), cursor));
  const page =
    unverified === null
      ? matching(db, search, placeIn).limit(limit + 1)
      : withUnverified(db, unverified, placeIn(), limit + 1);
  const rows = await page.execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  // The first page knows the number if it has all, and the later ones by their cursor.
  const total = placeIn()?.total ?? (last === undefined ? shown.length : await totalOf(db, search));
  return {
    results: shown.map((row) => backendUser(project, wholeFrom(row))),
    results_metadata: {
      total,
      next_cursor:
        last === undefined ? null : cursorAt(services, text(), { ...last, created_at: last.placed_at, total }),
    },
  };
};

/** @param placeIn reads the cursor, once the values of the query are checked */
function matching(db: Db, { condition }: Search, placeIn: () => Place | null) {
  const page = selectUsers(db)
    .where(condition)
    .select('users.created_at as placed_at')
    .orderBy('users.created_at')
    .orderBy('users.user_id');
  return page.where(after(sql`users.created_at, users.user_id`, placeIn()));
}

/**
 * Reads no other users than those of the page, by an index on the contacts that are not verified: those who have one are few, and as
 * likely among the newest as among the oldest of all.
 */
function withUnverified(db: Db, table: ContactTable, place: Place | null, limit: number) {
  const found = unverifiedIn(db, table)
    .select('user_created_at as placed_at')
    .where(after(sql`user_created_at, user_id`, place))
    .orderBy('user_created_at')
    .orderBy('user_id')
    .limit(limit)
    .as('found');
  return selectUsers(db)
    .innerJoin(found, 'found.user_id', 'users.user_id')
    .select(sql<Date>`found.placed_at`.as('placed_at'))
    .orderBy('found.placed_at')
    .orderBy('found.user_id');
}

/** The users who have a contact in this table that is not verified, each once. */
function unverifiedIn(db: Db, table: ContactTable) {
  return db
    .selectFrom(table)
    .select('user_id')
    .distinct()
    .where(sql<boolean>`not verified`);
}

const after = (columns: RawBuilder<unknown>, place: Place | null) =>
  place === null
    ? sql<boolean>`true`
    : sql<boolean>`(${columns}) > (${place.created_at}::timestamptz, ${place.user_id})`;

/** More users than these are not counted: with millions it would take longer than a statement may. */
const MOST_COUNTED = 10_000;

const totalOf = (db: Db, { condition, unverified }: Search): Promise<number> =>
  unverified === null
    ? numberOf(db, db.selectFrom('users').where(condition).select('users.user_id'))
    : numberOf(db, unverifiedIn(db, unverified));

/** The number of users: exact up to ten thousand, else PostgreSQL's estimate. */
async function numberOf<Table extends keyof Database>(
  db: Db,
  found: SelectQueryBuilder<Database, Table, { user_id: string }>,
): Promise<number> {
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
