import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { SchemaRefusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import type { Database, Db } from '#provider/base/db/database.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { backendUser } from '../users/backend-user.ts';
import { selectUsers, wholeFrom } from '../users/read-user.ts';
import { cursorAt, placeOf, type Place } from './search-cursor.ts';
import { searchOf, type ContactTable, type Search } from './search-filters.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Users who match the query, oldest first, in pages. */
export const searchUsers: BackendRoutes['users']['search'] = async (services, { body }) => {
  const { db, project } = services;
  const { query, cursor = '', limit = DEFAULT_LIMIT } = body;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    const message = `limit must be a whole number from 1 to ${MAX_LIMIT}`;
    throw new SchemaRefusal([{ dataPath: ['limit'], message }]);
  }
  const search = searchOf(query);
  const { text } = search;
  const found = foundBy(db, search);
  // The conditions have checked the values by now, as `text` requires.
  const place = cursor === '' ? null : placeOf(services, text(), cursor);
  const page = pageOf(db, found, place, limit + 1);
  const rows = await page.execute();
  const pageRows = rows.slice(0, limit);
  const last = rows.length > limit ? pageRows.at(-1) : undefined;
  // If the first page has all users, their number is known. Later pages get it from the cursor.
  const total = place?.total ?? (last === undefined ? pageRows.length : await numberOf(db, found));
  return {
    results: pageRows.map((row) => {
      // The position is no field of a user.
      const { placed_at: _placedAt, ...columns } = row;
      return backendUser(project, wholeFrom(columns));
    }),
    results_metadata: {
      total,
      next_cursor:
        last === undefined ? null : cursorAt(services, text(), { ...last, created_at: last.placed_at, total }),
    },
  };
};

/** The ids and sort positions of users, and the columns of these positions. */
interface UserPlaces {
  readonly users: Places;
  readonly order: readonly [placedAt: string, id: string];
}

type Places = SelectQueryBuilder<Database, 'users' | ContactTable, PlaceRow>;

interface PlaceRow {
  readonly user_id: string;
  readonly placed_at: Date;
}

/** The users of each part of the search. Throws if a filter does not accept its value. */
function foundBy(db: Db, { parts }: Search): readonly UserPlaces[] {
  const [{ unverified }, ...more] = parts;
  if (more.length === 0 && unverified !== null) return [unverifiedIn(db, unverified)];
  return parts.map(({ condition }) => ({
    users: db.selectFrom('users').where(condition).select(['users.user_id', 'users.created_at as placed_at']) as Places,
    order: ['users.created_at', 'users.user_id'],
  }));
}

/**
 * The users with an unverified contact in this table, each once. They are few and spread over the whole order, so this reads them from an
 * index that has them in the order of a search.
 */
const unverifiedIn = (db: Db, table: ContactTable): UserPlaces => ({
  users: db
    .selectFrom(table)
    .select(['user_id', 'user_created_at as placed_at'])
    .distinct()
    .where(sql<boolean>`not verified`) as unknown as Places,
  order: ['user_created_at', 'user_id'],
});

/**
 * The next users after the place, oldest first. Each part is read from its own index and stops after a page. One query with `or` would read
 * all users.
 */
function pageOf(db: Db, found: readonly UserPlaces[], place: Place | null, limit: number) {
  const pages = found.map(({ users, order: [placedAt, id] }) =>
    users
      .where(after(sql`${sql.ref(placedAt)}, ${sql.ref(id)}`, place))
      .orderBy(sql.ref(placedAt))
      .orderBy(sql.ref(id))
      .limit(limit),
  );
  return selectUsers(db)
    .innerJoin(united(db, pages).as('found'), 'found.user_id', 'users.user_id')
    .select(sql<Date>`found.placed_at`.as('placed_at'))
    .orderBy('found.placed_at')
    .orderBy('found.user_id')
    .limit(limit);
}

/** The union of these rows, without duplicates. */
function united(db: Db, all: readonly Places[]): SelectQueryBuilder<Database, never, PlaceRow> {
  const whole = all.map((each) => db.selectFrom(each.as('part')).selectAll());
  return whole.reduce((one, other) => one.union(other));
}

const after = (columns: RawBuilder<unknown>, place: Place | null) =>
  place === null
    ? sql<boolean>`true`
    : sql<boolean>`(${columns}) > (${place.created_at}::timestamptz, ${place.user_id})`;

/** The count stops here: with millions of users, an exact one would exceed the statement's time limit. */
const MOST_COUNTED = 10_000;

/** The number of users: exact up to ten thousand, else PostgreSQL's estimate. */
async function numberOf(db: Db, found: readonly UserPlaces[]): Promise<number> {
  const [plan] = await united(
    db,
    found.map(({ users }) => users),
  ).explain('json');
  const estimate = estimateIn(plan);
  if (estimate > 2 * MOST_COUNTED) return estimate;
  const some = united(
    db,
    found.map(({ users }) => users.limit(MOST_COUNTED + 1)),
  );
  const { counted } = await db
    .selectFrom(some.limit(MOST_COUNTED + 1).as('found'))
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
