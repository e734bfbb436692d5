import type { Store } from '#provider/base/db/open.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { OptionName } from './option-table.ts';
import type { OptionValues } from './option-values.ts';
import { isMigrating, masterKeyFrom, storeFrom, type KeySource } from './options.ts';

/** The location of the data, for a command. */
export interface DataLocation {
  readonly store: Store;
  readonly masterKey: KeySource | null;
  readonly projectFile: string | null;
  /** False to refuse an outdated schema instead of changing it. */
  readonly migrating: boolean;
}

/** The server options for the location of the data. */
export const LOCATION_OPTIONS = [
  'data',
  'databaseUrl',
  'key',
  'keyFile',
  'project',
  'noMigrate',
] as const satisfies readonly OptionName[];

export function locationFrom(options: OptionValues<(typeof LOCATION_OPTIONS)[number]>): DataLocation {
  const store = storeFrom(options);
  if (store.kind === 'memory') {
    throw new UsageError('Data in memory belongs to one process: name other data with --data DIR or --database-url.');
  }
  return {
    store,
    masterKey: masterKeyFrom(store, options),
    projectFile: options.project?.text ?? null,
    migrating: isMigrating(options),
  };
}
