import { parseArgs } from 'node:util';
import { migrate, schemaState } from '../db/migrate.ts';
import { openToMigrate } from '../db/open.ts';
import { openFailure, prepareFolder } from './open-store.ts';
import { explained, storeFrom, UsageError } from './options.ts';

/**
 * The command `migrate`: brings the schema up to date without starting a server, and resolves with what it did. With `--dry-run` it
 * changes nothing.
 */
export async function runMigrate(args: readonly string[], env = process.env): Promise<string> {
  const { data, 'database-url': url, 'dry-run': dry = false } = parse(args);
  if (data !== undefined && url !== undefined) throw new UsageError('Give --data or --database-url, not both.');
  const store = storeFrom(
    data ?? (url === undefined ? env['PORTICO_DATA'] : undefined),
    url ?? (data === undefined ? env['PORTICO_DATABASE_URL'] : undefined),
  );
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

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        data: { type: 'string' },
        'database-url': { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw explained(error);
  }
}
