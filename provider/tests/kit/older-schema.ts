import { migrate } from '../../src/base/db/migrate.ts';
import { MIGRATIONS } from '../../src/base/db/migrations.ts';
import { openToMigrate } from '../../src/base/db/open.ts';
import { freshStore } from './harness.ts';

/** A database of PostgreSQL with the schema of the version before a migration, such as `0126`. */
export async function olderSchema(
  server: string | undefined,
  before: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  const { store, drop } = await freshStore(server, 'template1');
  if (store.kind !== 'postgres') throw new Error('there is no PostgreSQL');
  const { url } = store;
  const old = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < before));
  await openToMigrate({ kind: 'postgres', url }, (db) => migrate(db, old));
  return { url, drop };
}
