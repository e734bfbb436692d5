import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BELONGINGS } from '#provider/accounts/users/belongings.ts';
import { EITHER_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly rule: string;
}

/** The tables whose rows of a user are kept when all access ends, each with its reason. */
const KEPT: ReadonlySet<string> = new Set([
  // The owner is told of what happened, and undoes it, after whoever did it has ended all access.
  'notices',
  'notice_links',
  // It ends when its owner stops it, or by itself: a first factor that resets the password must not start it over.
  'recoveries',
]);

describe.each(EITHER_DATABASE)('the rows of a user, on %s', (_, url) => {
  let provider: Provider;
  let references: readonly Reference[];
  beforeAll(async () => {
    provider = await makeProvider(url);
    const found = await sql<Reference>`
      select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent, c.confdeltype as rule
      from pg_constraint c where c.contype = 'f'`.execute(provider.services.db);
    references = found.rows;
  });
  afterAll(() => provider.close());

  it('every table is listed, so that a new one cannot be forgotten', () => {
    const referring = new Set(references.filter(({ parent }) => parent === 'users').map(({ child }) => child));
    expect(referring.size).toBeGreaterThan(10);
    expect([...referring].filter((table) => !KEPT.has(table)).sort()).toEqual(Object.keys(BELONGINGS).sort());
  });

  it('every row is deleted with the row that it refers to', () => {
    const keeping = references.filter(({ rule }) => rule !== 'c');
    expect(keeping).toEqual([]);
  });
});
