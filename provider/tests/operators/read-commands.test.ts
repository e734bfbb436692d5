import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { OPERATOR_COMMANDS, pathName, perform } from '#provider/operation/operators/commands.ts';
import type { Db } from '#provider/base/db/database.ts';
import { ANY_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { MESSAGE, READ_FIELDS } from './read-commands.ts';

const provider = suiteProvider(ANY_DATABASE);

async function run(db: Db, name: string, fields: object): Promise<unknown> {
  return db.transaction().execute(async (tx) => {
    await sql`set transaction read only`.execute(tx);
    return perform({ ...provider.services, db: tx }, pathName(name), fields);
  });
}

it('a command that only reads runs where the database refuses writes; another one does not', async () => {
  const { db } = provider.services;
  await provider.signIn('ada-1@example.com');
  const { id } = await db.selectFrom('outbox').select('id').executeTakeFirstOrThrow();
  for (const [name, fields] of Object.entries(READ_FIELDS)) {
    const values = Object.entries(fields).map(([field, value]) => [field, value === MESSAGE ? id : value]);
    expect([name, await run(db, name, Object.fromEntries(values))]).toEqual([
      name,
      expect.objectContaining({ rows: expect.any(Array) }),
    ]);
  }
  const writes: readonly (readonly [string, object])[] = [
    ['users lock', { user: 'ada-1@example.com' }],
    ['users export', { user: 'ada-1@example.com' }],
    ['keys rotate', {}],
    ['operators invite', { name: 'Grace', origin: 'https://ops.example.com' }],
  ];
  for (const [name, fields] of writes) {
    expect(OPERATOR_COMMANDS).toHaveProperty([name, 'reads'], false);
    await expect(run(db, name, fields)).rejects.toThrow();
  }
});
