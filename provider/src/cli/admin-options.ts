import { parseArgs } from 'node:util';
import type { Store } from '../db/open.ts';
import type { AdminActionName } from '../access/admin.ts';
import { explained, masterKeyFrom, storeFrom, UsageError, type KeySource } from './options.ts';

export interface AdminOptions {
  readonly action: AdminActionName;
  /** The parameters of the action. */
  readonly fields: Readonly<Record<string, string>>;
  readonly store: Store;
  readonly masterKey: KeySource | null;
  readonly projectFile: string | null;
}

const USAGE =
  'Say admin impersonate --user EMAIL|USER_ID [--by WHO], admin trusted-token --profile ID --email ADDRESS, ' +
  'admin client-secret --client ID, admin rotate-keys [--purpose apps|sessions], ' +
  'admin project-secret create --name NAME, admin project-secret list, admin project-secret revoke --id ID, ' +
  'or admin backend-calls [--target ID] [--limit COUNT].';

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

interface Command {
  readonly action: AdminActionName;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The arguments after `admin`; throws a UsageError for anything it does not understand. */
export function adminOptionsFrom(args: readonly string[]): AdminOptions {
  const { values, positionals } = parse(args);
  const { data, 'database-url': url, 'key-file': keyFile, project, ...given } = values;
  if (data !== undefined && url !== undefined) throw new UsageError('Give --data or --database-url, not both.');
  const store = storeFrom(data, url);
  if (store.kind === 'memory') {
    throw new UsageError('What is in memory is the server’s alone; run it with --data DIR or --database-url.');
  }
  const name = positionals.join(' ');
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const known = new Set([...(command?.required ?? []), ...(command?.optional ?? [])]);
  const strange = Object.keys(given).some((option) => !known.has(option));
  if (!['apps', 'sessions'].includes(given.purpose ?? 'apps')) {
    throw new UsageError('--purpose must be apps or sessions.');
  }
  const complete = command?.required.every((option) => Object.hasOwn(given, option)) ?? false;
  if (command !== undefined && complete && !strange) {
    const masterKey = masterKeyFrom(store, keyFile);
    return { action: command.action, fields: given, store, masterKey, projectFile: project ?? null };
  }
  throw new UsageError(USAGE);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        by: { type: 'string' },
        profile: { type: 'string' },
        email: { type: 'string' },
        client: { type: 'string' },
        data: { type: 'string' },
        purpose: { type: 'string' },
        name: { type: 'string' },
        id: { type: 'string' },
        target: { type: 'string' },
        limit: { type: 'string' },
        'database-url': { type: 'string' },
        'key-file': { type: 'string' },
        project: { type: 'string' },
      },
    });
  } catch (error) {
    throw explained(error);
  }
}
