import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { statementsOf } from '#provider/base/db/migration.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';

const SOURCES = join(ROOT, 'provider/src');
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('migrations'))
  .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
  // A comment may name what the code avoids.
  .map((text) => text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gmu, ''))
  .join('\n');
const statements = `${Object.values(MIGRATIONS).flatMap(statementsOf).join(';\n')}\n${sources}`;

/** What the server uses beyond plain tables, keys and indexes, by its name in the documentation. */
const PARTS: Readonly<Record<string, RegExp>> = {
  triggers: /create trigger/iu,
  'transition tables': /referencing (?:new|old) table/iu,
  'indexes over functions': /using gin/iu,
  'concurrent indexes': /create .*index concurrently/iu,
  'advisory lock': /pg_advisory_xact_lock/iu,
  'table locks': /\block table\b/iu,
  'skip locked': /skip locked|\.skipLocked\(/iu,
  'row locks': /\bfor (?:no key )?update\b|\.for(?:NoKey)?Update\(/iu,
  'writes in `with`': /\bas (?:materialized )?\(\s*(?:insert|update|delete)\b|withWrites\(/iu,
  'row versions': /\bxmin\b|pg_current_xact_id/iu,
  'numbered rows': /generated always as identity/iu,
  cascades: /on delete cascade/iu,
  'unique keys': /\bunique\b/iu,
  partitions: /partition by range/iu,
  'rights of the owner': /security definer/iu,
};

/** What would keep the server from engines that are PostgreSQL inside, or from a pooler. */
const UNUSED: Readonly<Record<string, RegExp>> = {
  'listen and notify': /pg_notify|`\s*(?:un)?listen \w|`\s*notify \w/iu,
  'temporary tables': /create (?:global |local )?temp(?:orary)? table|unlogged/iu,
  'two-phase commits': /prepare transaction/iu,
  extensions: /create extension/iu,
  inheritance: /\binherits\b/iu,
  'row ids': /\bctid\b/iu,
  'deferred constraints': /\bdeferrable\b|set constraints/iu,
  'locks of a session': /pg_(?:try_)?advisory_(?:lock|unlock)\b/iu,
};

/** System functions. A new one may be missing elsewhere: add it here, and where it is, to the table of the documentation. */
const SYSTEM_FUNCTIONS = [
  'pg_advisory_xact_lock',
  'pg_current_xact_id',
  'pg_get_expr',
  'pg_get_serial_sequence',
  'pg_relation_size',
  'pg_sequence_last_value',
];

describe('other engines of PostgreSQL’s protocol', () => {
  const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
  const [, table = ''] = /^\| part \| used for .*\n\|.*\n((?:\|.*\n)+)/mu.exec(page) ?? [];
  const rows = table.split('\n').filter((line) => line !== '').map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())); // prettier-ignore

  it('are told in the documentation each part that the server uses, and no other', () => {
    expect(rows.map(([part]) => part)).toEqual(Object.keys(PARTS));
    for (const row of rows) expect(row.filter((cell) => cell !== '')).toHaveLength(5);
  });

  it.each(Object.entries(PARTS))('must have what the server uses: %s', (_, pattern) => {
    expect(statements).toMatch(pattern);
  });

  it.each(Object.entries(UNUSED))('need no %s', (_, pattern) => {
    expect(pattern.exec(statements)?.[0]).toBeUndefined();
  });

  it('need the system functions of this list', () => {
    const used = new Set(Array.from(statements.matchAll(/\b(pg_\w+)\(/gu), ([, name = '']) => name));
    expect([...used].sort()).toEqual(SYSTEM_FUNCTIONS);
  });
});
