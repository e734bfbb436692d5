import { migrate, schemaState } from '../db/migrate.ts';
import { openToMigrate } from '../db/open.ts';
import { openFailure, prepareFolder } from './open-store.ts';
import { flagsOf, givenFrom, parseFlags, type Environment } from './given.ts';
import { storeFrom, UsageError } from './options.ts';

const PLACE = ['data', 'databaseUrl'] as const;

/**
 * The command `migrate`: brings the schema up to date without starting a server, and resolves with what it did. With `--dry-run` it
 * changes nothing.
 */
export async function runMigrate(args: readonly string[], env: Environment = process.env): Promise<string> {
  const { values } = parseFlags(args, { ...flagsOf(PLACE), 'dry-run': { type: 'boolean' } });
  const store = storeFrom(givenFrom(PLACE, values, env));
  const dry = values['dry-run'] === true;
  if (store.kind === 'memory') throw new UsageError('What is in memory needs no migration.');
  const unlock = prepareFolder(store);
  try {
    return await openToMigrate(store, async (db) => {
      const { pending, newer } = await schemaState(db);
      const done = dry ? pending : await migrate(db);
      const lines = done.map((name) => `${dry ? 'would run' : 'ran'} ${name}`);
      if (lines.length === 0) lines.push('The schema is up to date.');
      if (newer.length > 0) lines.push(`A newer version added ${newer.join(', ')}.`);
      return lines.join('\n');
    });
  } catch (error) {
    throw openFailure(store, error);
  } finally {
    unlock();
  }
}
