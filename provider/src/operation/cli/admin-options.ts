import type { Store } from '../../base/db/open.ts';
import type { AdminActionName } from '../admin/admin.ts';
import { flagsOf, givenFrom, parseFlags, type Environment, type OptionValues } from './option-values.ts';
import type { OptionName } from './option-table.ts';
import { isMigrating, masterKeyFrom, storeFrom, type KeySource } from './options.ts';
import { UsageError } from '../../base/usage-error.ts';

/** Where the data is, for a command. */
export interface DataLocation {
  readonly store: Store;
  readonly masterKey: KeySource | null;
  readonly projectFile: string | null;
  /** False refuses a schema that is not up to date, instead of changing it. */
  readonly migrating: boolean;
}

export interface AdminOptions extends DataLocation {
  readonly action: AdminActionName;
  /** The parameters of the action. */
  readonly fields: Readonly<Record<string, string>>;
}

const USAGE =
  'Say admin impersonate --user EMAIL|USER_ID [--by WHO], admin trusted-token --profile ID --email ADDRESS, ' +
  'admin client-secret --client ID, admin rotate-keys [--purpose apps|sessions], ' +
  'admin project-secret create --name NAME, admin project-secret list, admin project-secret revoke --id ID, ' +
  'admin backend-calls [--target ID] [--limit COUNT], admin backup FILE, or admin restore FILE.';

/** The actions by the words of their commands, with their required and optional options. */
const COMMANDS: Readonly<Record<string, Command>> = {
  impersonate: { action: 'impersonation-token', required: ['user'], optional: ['by'] },
  'trusted-token': { action: 'trusted-token', required: ['profile', 'email'], optional: [] },
  'client-secret': { action: 'client-secret', required: ['client'], optional: [] },
  'rotate-keys': { action: 'rotate-keys', required: [], optional: ['purpose'] },
  'project-secret create': { action: 'project-secret', required: ['name'], optional: [] },
  'project-secret list': { action: 'project-secrets', required: [], optional: [] },
  'project-secret revoke': { action: 'revoke-project-secret', required: ['id'], optional: [] },
  'backend-calls': { action: 'backend-calls', required: [], optional: ['target', 'limit'] },
};

/** The options of the commands. */
const FIELDS = {
  user: { type: 'string' },
  by: { type: 'string' },
  profile: { type: 'string' },
  email: { type: 'string' },
  client: { type: 'string' },
  purpose: { type: 'string' },
  name: { type: 'string' },
  id: { type: 'string' },
  target: { type: 'string' },
  limit: { type: 'string' },
} as const;

interface Command {
  readonly action: AdminActionName;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The options of the server that say where the data is. */
export const PLACE = [
  'data',
  'databaseUrl',
  'key',
  'keyFile',
  'project',
  'noMigrate',
] as const satisfies readonly OptionName[];

export function placeFrom(place: OptionValues<(typeof PLACE)[number]>): DataLocation {
  const store = storeFrom(place);
  if (store.kind === 'memory') {
    throw new UsageError('What is in memory is the server’s alone; run it with --data DIR or --database-url.');
  }
  return {
    store,
    masterKey: masterKeyFrom(store, place),
    projectFile: place.project?.text ?? null,
    migrating: isMigrating(place),
  };
}

/** The arguments after `admin`, and the environment; throws a UsageError for anything it does not understand. */
export function adminOptionsFrom(args: readonly string[], env: Environment = process.env): AdminOptions {
  const { values, positionals } = parseFlags(args, { ...flagsOf(PLACE), ...FIELDS }, true);
  const place = givenFrom(PLACE, values, env);
  const given = Object.fromEntries(
    Object.keys(FIELDS).flatMap((field) => (values[field] === undefined ? [] : [[field, String(values[field])]])),
  );
  const name = positionals.join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const known = new Set([...(command?.required ?? []), ...(command?.optional ?? [])]);
  const strange = Object.keys(given).some((option) => !known.has(option));
  if (!['apps', 'sessions'].includes(given['purpose'] ?? 'apps')) {
    throw new UsageError('--purpose must be apps or sessions.');
  }
  const complete = command?.required.every((option) => Object.hasOwn(given, option)) ?? false;
  if (command !== undefined && complete && !strange) {
    return { ...placeFrom(place), action: command.action, fields: given };
  }
  throw new UsageError(USAGE);
}
