import { migrate, schemaState } from '#provider/base/db/migrate.ts';
import { openToMigrate } from '#provider/base/db/open.ts';
import { readMasterKeys } from '../store/key-file.ts';
import { keysFor, openFailure, prepareFolder } from '../store/open-store.ts';
import type { OptionValues } from '../options/option-values.ts';
import { masterKeyFrom, storeFrom, UsageError } from '../options/options.ts';

/**
 * The command `migrate`: brings the schema up to date without starting a server, and resolves with a report. With a key it also makes the
 * keys of a new database, because a server cannot do that if its role does not own the tables. With `--dry-run` it changes nothing.
 */
export async function runMigrate(
  { dry_run: dry = false }: { readonly dry_run?: boolean | undefined },
  options: OptionValues<'data' | 'databaseUrl' | 'key' | 'keyFile'>,
): Promise<string> {
  const store = storeFrom(options);
  const source = masterKeyFrom(store, options);
  if (store.kind === 'memory') throw new UsageError('Data in memory needs no migration.');
  const masters = source === null ? null : readMasterKeys(source, false);
  const { store: prepared, unlock } = await prepareFolder(store);
  try {
    return await openToMigrate(prepared, async (db) => {
      const { pending, newer } = await schemaState(db);
      const done = dry ? pending : await migrate(db);
      if (!dry && masters !== null) await keysFor(store, db, masters);
      const lines = done.map((name) => `${dry ? 'would run' : 'ran'} ${name}`);
      if (lines.length === 0) lines.push('The schema is up to date.');
      if (newer.length > 0) lines.push(`A newer version added ${newer.join(', ')}.`);
      return lines.join('\n');
    });
  } catch (error) {
    throw error instanceof UsageError ? error : openFailure(store, error);
  } finally {
    unlock();
  }
}
