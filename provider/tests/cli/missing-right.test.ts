import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { missingRight } from '#provider/operation/store/missing-right.ts';
import { DATABASES, freshStore, PATIENCE } from '../kit/harness.ts';
import { ran } from '../kit/managing.ts';
import { soakIt } from '#tests/soak-tests.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
const SECTION = 'See docs/several-machines.md of the package portico, "A separate role for the schema".';

it('any other error of the database is none of a missing right', () => {
  for (const error of [new Error('x'), Object.assign(new Error('x'), { code: '23505' }), null, '42501'])
    expect(missingRight(error)).toBeNull();
});

describe.runIf(POSTGRES !== undefined)('a command whose database role lacks a right', () => {
  const role = `portico_weak_${process.pid}`;
  let owner: Db;
  let url = '';
  let ownersUrl = '';
  let drop: () => Promise<void>;
  const run = async (...statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(owner);
  };
  const said = async (...words: readonly string[]): Promise<string> =>
    ran([...words, '--database-url', url], { PORTICO_KEY: process.env['PORTICO_KEY'] }).then(
      (text) => text,
      (error: unknown) => (error as Error).message,
    );
  beforeAll(async () => {
    const fresh = await freshStore(POSTGRES);
    drop = fresh.drop;
    ownersUrl = fresh.store.kind === 'postgres' ? fresh.store.url : '';
    url = ownersUrl.replace(/\/\/[^@]+@/u, `//${role}@`);
    owner = await openDatabase(fresh.store, undefined, PATIENCE);
    await ran(['migrate', '--database-url', ownersUrl], { PORTICO_KEY: process.env['PORTICO_KEY'] });
    await run(`create role ${role} login`);
  });
  afterAll(async () => {
    await run(`drop owned by ${role}`, `drop role ${role}`).catch(() => undefined);
    await owner.destroy();
    await drop();
  });

  soakIt('says which right of which object is missing, and which page has the grants', async () => {
    const needs = (kind: string, name: string, rights: string): string =>
      `The database's role may not do this: permission denied for ${kind} ${name}. A server's role needs ${rights} on ${kind} ${name}. ` +
      `Only the owner of the tables changes the schema, by portico-provider migrate. ${SECTION}`;
    const all = 'select, insert, update, delete';
    expect(await said('users', 'list', '--no-migrate')).toBe(needs('table', 'kysely_migration', all));
    await run(`grant select on kysely_migration to ${role}`);
    expect(await said('users', 'list')).toBe(needs('table', 'sealed_keys', all));
    await run(`grant select, insert, update, delete on all tables in schema public to ${role}`);
    expect(await said('users', 'list')).toBe('There are none.');
    await run(`revoke select on users from ${role}`);
    expect(await said('users', 'list')).toBe(needs('table', 'users', all));
  });

  it('says who changes the schema if there is none yet', async () => {
    const empty = await freshStore(POSTGRES, 'template1');
    const at = empty.store.kind === 'postgres' ? empty.store.url : '';
    const before = url;
    url = at.replace(/\/\/[^@]+@/u, `//${role}@`);
    expect(await said('migrate')).toContain('by portico-provider migrate. See docs/several-machines.md');
    url = before;
    await empty.drop();
  });
});
