import { describe, expect, it } from 'vitest';
import { isStepwise, type Migration, type Migrations } from '#provider/base/db/migration.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';

/** From here on migrations are made for databases with many rows, in use. */
const LARGE_FROM = '0060';

/** Tables of a few rows, which a statement reads in less than a millisecond: the company's own people. */
const SMALL_TABLES: ReadonlySet<string> = new Set(['operators']);

/** What keeps a table from others for as long as reading or writing all of its rows takes (PostgreSQL, "ALTER TABLE"). */
const READS_ALL: Readonly<Record<string, RegExp>> = {
  'an index on it': /^create (?:unique )?index (?!concurrently)\w.* on (\w+)/isu,
  'another type of a column': /^alter table (\w+).*\balter (?:column )?\w+ (?:set data )?type\b/isu,
  'a column with values': /^alter table (\w+).*\bset not null\b/isu,
  'a column with a value of its own in each row':
    /^alter table (\w+).*\badd column\b.*\b(?:generated|default (?:\w+\())/isu,
  'a condition or key': /^alter table (\w+).*\badd (?:constraint|primary key|unique|check|foreign key)(?!.*\bnot valid\b)/isu,
  'a reference in a column': /^alter table (\w+).*\badd column\b[^,]*\b(?:references|unique|primary key|check)\b/isu,
  'a write of many rows': /^(?:update|delete from|insert into) (\w+)/isu,
}; // prettier-ignore

/** The statements of a migration that may take long in a transaction, those of batches aside. */
function statementsOf(migration: Migration): readonly string[] {
  if (!isStepwise(migration)) return migration;
  return migration.steps.flatMap((step) => ('backFill' in step ? [] : step));
}

/** What a migration does to tables that were there before, and that takes as long as they have rows. */
function longIn(migrations: Migrations): readonly string[] {
  return Object.entries(migrations).flatMap(([name, migration]) => {
    if (name < LARGE_FROM) return [];
    const statements = statementsOf(migration);
    const made = new Set(statements.map((statement) => /^create table (\w+)/iu.exec(statement)?.[1]));
    return statements.flatMap((statement) =>
      Object.entries(READS_ALL).flatMap(([what, pattern]) => {
        const table = pattern.exec(statement.trim())?.[1];
        return table === undefined || made.has(table) || SMALL_TABLES.has(table)
          ? []
          : [`${name} needs all rows of ${table} for ${what}`];
      }),
    );
  });
}

describe('the migrations of a database with many rows', () => {
  it('keep no table of an earlier one to themselves while they read or write all of it', () => {
    expect(longIn(MIGRATIONS)).toEqual([]);
  });

  it.each([
    [`create index users_name on users (name)`, 'an index on it'],
    [`create unique index if not exists users_name on users (name)`, 'an index on it'],
    [`alter table users alter column name type text`, 'another type of a column'],
    [`alter table users add column note text, alter note set not null`, 'a column with values'],
    [`alter table users add column note uuid default gen_random_uuid()`, 'a column with a value of its own in each row'],
    [`alter table users add constraint short check (length(name) < 9)`, 'a condition or key'],
    [`alter table users add column note text references notes`, 'a reference in a column'],
    [`update users set name = '{}'`, 'a write of many rows'],
  ])('would be refused with: %s', (statement, what) => {
    expect(longIn({ '9001_long': [statement] })).toEqual([`9001_long needs all rows of users for ${what}`]);
    expect(longIn({ '9001_long': { steps: [[statement]] } })).toHaveLength(1);
    expect(longIn({ '9001_new': [`create table users (name jsonb)`, statement] })).toEqual([]);
  }); // prettier-ignore

  it.each([
    `create index concurrently if not exists users_name on users (name)`,
    `alter table users add column note text, add column flag boolean not null default true`,
    `alter table users add constraint short check (length(name) < 9) not valid`,
  ])('may have: %s', (statement) => {
    expect(longIn({ '9001_quick': [statement] })).toEqual([]);
  });
});
