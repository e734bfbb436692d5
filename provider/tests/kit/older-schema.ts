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
  await migrateUntil(store.url, before);
  return { url: store.url, drop };
}

/** Gives an empty database of PostgreSQL the schema of the version before a migration. */
export async function migrateUntil(url: string, before: string): Promise<void> {
  const old = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < before));
  await openToMigrate({ kind: 'postgres', url }, (db) => migrate(db, old));
}
