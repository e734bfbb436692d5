import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import { emailKeys } from '#server-rules/accounts.ts';
import { SchemaRefusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import type { Database } from '#provider/base/db/database.ts';
import { contains, mayContain, NAME_TEXT } from '#provider/base/db/statements/text-grams.ts';

type Users = ExpressionBuilder<Database, 'users'>;
type Condition = Expression<SqlBool>;

/** The condition of a filter on `users`. Throws a `WrongValue` that describes the expected value. */
interface Filter {
  (users: Users, value: unknown): Condition;
  /** The table, if the filter with this value selects users by its unverified rows. */
  readonly unverified?: (value: unknown) => ContactTable | null;
}

export type ContactTable = 'emails' | 'phone_numbers';

class WrongValue extends Error {}

function texts(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new WrongValue('an array of strings');
  }
  return value;
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new WrongValue('a boolean');
  return value;
}

/** RFC 3339: with a day, a time and a zone. */
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u;

function time(value: unknown): Date {
  const date = typeof value === 'string' && TIME.test(value) ? new Date(value) : null;
  // NaN for a day that does not exist. The embedded database reads no year of fewer or more digits.
  const year = date?.getUTCFullYear() ?? 0;
  if (date === null || !(year >= 1 && year <= 9999)) throw new WrongValue('an RFC 3339 time');
  return date;
}

function part(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new WrongValue('a string that is not empty');
  return value;
}

/** An empty list matches nothing. */
const among =
  (column: 'users.user_id' | 'users.external_id'): Filter =>
  (users, value) => {
    const list = texts(value);
    return list.length === 0 ? sql<SqlBool>`false` : users(column, 'in', list);
  };

type OwnedCollection =
  | 'emails'
  | 'phone_numbers'
  | 'oauth_registrations'
  | 'webauthn_registrations'
  | 'totps'
  | 'crypto_wallets'
  | 'passwords';

/** Users with a row in the table that meets the condition. */
function owns(users: Users, table: OwnedCollection, condition: Condition): Condition {
  return users.exists(
    sql`(select from ${sql.table(table)} owned where owned.user_id = users.user_id and ${condition})`,
  );
}

/** Users with a row whose column equals one of these texts, in any of the column's forms. */
const withOne =
  (table: OwnedCollection, column: string, forms = (text: string): readonly string[] => [text]): Filter =>
  (users, value) => {
    const list = texts(value).flatMap(forms);
    const condition = list.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${owned(column)} in (${sql.join(list)})`;
    return owns(users, table, condition);
  };

const owned = (column: string) => sql.ref(`owned.${column}`);

/** The condition must be a constant: PostgreSQL has a partial index on the unverified rows. */
const withFlag =
  (table: OwnedCollection, column: string): Filter =>
  (users, value) =>
    owns(users, table, flag(value) ? sql<SqlBool>`${owned(column)}` : sql<SqlBool>`not ${owned(column)}`);

/** For addresses and numbers: PostgreSQL has an index of the unverified ones in the order of a search. */
const withContactFlag = (table: ContactTable): Filter =>
  Object.assign(withFlag(table, 'verified'), { unverified: (value: unknown) => (value === false ? table : null) });

/** @param text the text that the index is on */
const withPart =
  (table: OwnedCollection, column: string, text: RawBuilder<unknown>): Filter =>
  (users, value) => {
    const may = mayContain(text, part(value)) ?? sql`true`;
    return owns(users, table, sql<SqlBool>`${may} and ${contains(owned(column), part(value))}`);
  };

/** For factors that are stored only once they are verified. */
const always =
  (table: OwnedCollection): Filter =>
  (users, value) =>
    owns(users, table, flag(value) ? sql<SqlBool>`true` : sql<SqlBool>`false`);

const nobody =
  (check: (value: unknown) => unknown): Filter =>
  (_users, value) => {
    check(value);
    return sql<SqlBool>`false`;
  };

const FULL_NAME = sql<string>`concat_ws(' ', nullif(users.name->>'first_name', ''),
  nullif(users.name->>'middle_name', ''), nullif(users.name->>'last_name', ''))`;

function withName(text: string): RawBuilder<SqlBool> {
  const may = mayContain(NAME_TEXT, text);
  // The index leaves out users without a name.
  const hasName = may === null ? sql`true` : sql`users.name <> '{}' and ${may}`;
  return sql<SqlBool>`${hasName} and ${contains(FULL_NAME, text)}`;
}

/** The filters of a search, by their names on the wire. */
const FILTERS: Readonly<Record<string, Filter>> = {
  created_at_greater_than: (users, value) => users('users.created_at', '>', time(value)),
  created_at_less_than: (users, value) => users('users.created_at', '<', time(value)),
  created_at_between(users, value) {
    if (!isRecord(value)) throw new WrongValue('an object with greater_than and less_than');
    const { greater_than, less_than } = value;
    return users.and([
      users('users.created_at', '>', time(greater_than)),
      users('users.created_at', '<', time(less_than)),
    ]);
  },
  status(users, value) {
    if (value !== 'active' && value !== 'pending') throw new WrongValue('active or pending');
    return users('users.status', '=', value);
  },
  user_id: among('users.user_id'),
  external_id: among('users.external_id'),
  full_name_fuzzy: (_users, value) => withName(part(value)),
  phone_number: withOne('phone_numbers', 'phone_number'),
  phone_id: withOne('phone_numbers', 'phone_id'),
  phone_verified: withContactFlag('phone_numbers'),
  phone_number_fuzzy: withPart('phone_numbers', 'phone_number', owned('phone_number')),
  email_address: withOne('emails', 'email_key', emailKeys),
  email_id: withOne('emails', 'email_id'),
  email_verified: withContactFlag('emails'),
  email_address_fuzzy: withPart('emails', 'email', sql`owned.email || ' ' || owned.email_key`),
  oauth_provider: withOne('oauth_registrations', 'provider_type', (name) => [name.toLowerCase()]),
  webauthn_registration_id: withOne('webauthn_registrations', 'webauthn_registration_id'),
  webauthn_registration_verified: always('webauthn_registrations'),
  // Clients of this server cannot register any.
  biometric_registration_id: nobody(texts),
  biometric_registration_verified: nobody(flag),
  totp_id: withOne('totps', 'totp_id'),
  totp_verified: withFlag('totps', 'verified'),
  crypto_wallet_id: withOne('crypto_wallets', 'crypto_wallet_id'),
  crypto_wallet_address: withOne('crypto_wallets', 'crypto_wallet_address'),
  crypto_wallet_verified: always('crypto_wallets'),
  password_exists: (users, value) =>
    flag(value) ? owns(users, 'passwords', sql`true`) : users.not(owns(users, 'passwords', sql`true`)),
};

const MOST_OPERANDS = 50;

function wrong(path: readonly string[], message: string): SchemaRefusal {
  return new SchemaRefusal([{ dataPath: ['query', ...path], message }]);
}

/** The users that one condition selects. */
export interface Part {
  readonly condition: (users: Users) => Condition;
  /** The table, if the whole condition is an unverified contact in it. */
  readonly unverified: ContactTable | null;
}

export interface Search {
  /** The result is the union of these parts: one for `AND`, one per operand for `OR`. */
  readonly parts: readonly [Part, ...Part[]];
  /** Equal for queries with the same filters in the same order. Call it only after the conditions have checked the values. */
  readonly text: () => string;
}

/** The search of a query such as `{ operator: 'AND', operands: [{ filter_name, filter_value }] }`. */
export function searchOf(query: Readonly<Record<string, unknown>> | undefined): Search {
  const { operator, operands } = query ?? { operator: 'AND', operands: [] };
  if (operator !== 'AND' && operator !== 'OR') throw wrong(['operator'], 'query.operator must be AND or OR');
  if (!Array.isArray(operands) || operands.length > MOST_OPERANDS) {
    throw wrong(['operands'], `query.operands must be an array of at most ${MOST_OPERANDS} objects`);
  }
  const filters = operands.map(filterOf);
  const [first, ...more] = filters;
  const text = () => JSON.stringify([operator, ...filters.map(({ name, value }) => [name, plain(value)])]);
  if (first === undefined) return { parts: [{ condition: () => sql<SqlBool>`true`, unverified: null }], text };
  if (more.length === 0 || operator === 'OR') return { parts: [first, ...more], text };
  const condition = (users: Users): Condition => users.and(filters.map((filter) => filter.condition(users)));
  return { parts: [{ condition, unverified: null }], text };
}

/** The value of a filter without unknown fields. */
function plain(value: unknown): unknown {
  return isRecord(value) ? [value['greater_than'], value['less_than']] : value;
}

function filterOf(operand: unknown, index: number) {
  const path = ['operands', String(index)];
  const { filter_name: name, filter_value: value } = isRecord(operand) ? operand : {};
  const filter = typeof name === 'string' && Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (filter === undefined) {
    const label = typeof name === 'string' ? name.slice(0, 100) : '';
    const filterNames = Object.keys(FILTERS).join(', ');
    throw wrong([...path, 'filter_name'], `the filter ${label} is unknown; there are ${filterNames}`);
  }
  const condition = (users: Users): Condition => {
    try {
      return filter(users, value);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      throw wrong([...path, 'filter_value'], `the value of ${String(name)} must be ${error.message}`);
    }
  };
  return { name, value, condition, unverified: filter.unverified?.(value) ?? null };
}
