import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOAK } from '#tests/soak.ts';
import { searchOf } from '#provider/accounts/account/search-filters.ts';
import type { Db } from '#provider/base/db/database.ts';
import { openStore } from '#provider/operation/store/open-store.ts';
import { listUsers } from '#provider/operation/operators/users/list-users.ts';

const server = process.env['TEST_DATABASE_URL'] ?? '';
const MASTER_KEY = { kind: 'variable', text: process.env['PORTICO_KEY'] ?? '' } as const;

async function run(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** A user who is called `name`, with this address. */
const userOf = (email: string, first_name: string): readonly string[] => [
  `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles)
     values ('user-${first_name}', now(), 'active', '${JSON.stringify({ first_name })}', '{}', '{}', '[]')`,
  `insert into emails (email_id, user_id, email, email_key, verified, created_at)
     values ('email-${first_name}', 'user-${first_name}', '${email}', '${email.toLowerCase()}', true, now())`,
];

const LOCALES: readonly (readonly [string, string])[] = [
  ['C', `locale 'C'`],
  ...(SOAK
    ? ([
        ['tr', `locale_provider icu icu_locale 'tr' lc_collate 'C' lc_ctype 'C'`],
        ['C.UTF-8', `locale 'C.UTF-8'`],
      ] as const)
    : []),
];

describe.runIf(server !== '').each(LOCALES)('searches in a database in the locale %s', (_, clauses) => {
  const name = `portico_locale_${randomBytes(6).toString('hex')}`;
  const url = server === '' ? '' : Object.assign(new URL(server), { pathname: `/${name}` }).href;
  beforeAll(() => run(server, `create database ${name} template template0 encoding 'UTF8' ${clauses}`));
  afterAll(() => run(server, `drop database ${name} with (force)`));

  async function opened() {
    const warnings: string[] = [];
    const opening = { masterKey: MASTER_KEY, poolSize: 2, warn: (sentence: string) => warnings.push(sentence) };
    const store = await openStore({ kind: 'postgres', url }, opening);
    return { ...store, warnings: warnings.filter((sentence) => sentence.includes('collation')) };
  }

  async function found(db: Db, filter_name: string, filter_value: string): Promise<readonly string[]> {
    const [part] = searchOf({ operator: 'AND', operands: [{ filter_name, filter_value }] }).parts;
    const rows = await db.selectFrom('users').select('user_id').where(part.condition).execute();
    return rows.map(({ user_id }) => user_id);
  }

  it('find names and addresses whatever the case of their letters', async () => {
    const { db, close, warnings } = await opened();
    await run(url, ...userOf('IDA@example.com', 'ÉMILE'), ...userOf('Ёлка@example.com', 'Ivanova'));
    expect(warnings).toEqual([]);
    for (const [first_name, names, addresses] of [
      ['ÉMILE', ['émile', 'ÉMILE'], ['ida@', 'IDA@']],
      ['Ivanova', ['IVANOVA', 'ivanova'], ['ёлка@', 'ЁЛКА@']],
    ] as const) {
      for (const text of [...names, ...addresses]) {
        const { users } = await listUsers(db, { text, limit: 10 });
        expect(
          users.map(({ user }) => user.user_id),
          text,
        ).toEqual([`user-${first_name}`]);
      }
      for (const text of names) expect(await found(db, 'full_name_fuzzy', text), text).toEqual([`user-${first_name}`]);
      for (const text of addresses)
        expect(await found(db, 'email_address_fuzzy', text), text).toEqual([`user-${first_name}`]);
    }
    await close();
  });

  it('are warned of where no collation knows all letters', async () => {
    await (await opened()).close();
    const asItIs = 'select whole';
    await run(url, `create or replace function folded(whole text) returns text language sql immutable as '${asItIs}'`);
    const { close, warnings } = await opened();
    await close();
    expect(warnings).toHaveLength(1);
  });
});
