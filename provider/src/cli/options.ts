import { parseArgs } from 'node:util';
import { isLoopbackHost } from '../../../src/domain/safe-url.ts';
import type { Store } from '../db/open.ts';
import { DATABASE_PATIENCE } from '../db/postgres.ts';

export interface CliOptions {
  readonly port: number;
  /** Null listens on both loopback addresses, for this machine only. */
  readonly host: string | null;
  readonly store: Store;
  /** The source of the key of the operator's database; null for a store with its own key. */
  readonly masterKey: KeySource | null;
  readonly fresh: boolean;
  readonly projectFile: string | null;
  /** The consent page for connected apps, instead of the one in the project file. */
  readonly authorizationUrl: string | null;
  readonly verbose: boolean;
  /** Development mode: enables the inbox, and social accounts without passwords. */
  readonly dev: boolean;
  /** How long the server still accepts requests after SIGTERM, while `/readyz` fails. */
  readonly drainSeconds: number;
  /** The most connections to a PostgreSQL database. */
  readonly poolSize: number;
  /** False refuses a schema that is not up to date, instead of changing it. */
  readonly migrating: boolean;
}

export const DEFAULT_PORT = 4100;
export const DEFAULT_FOLDER = '.data/provider';

/** The source of the key of the operator's database. */
export type KeySource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'variable'; readonly text: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** An error that the operator can fix. Its message is one sentence. */
export class UsageError extends Error {}

/** The command line as options; throws a UsageError for anything it does not understand. */
export function optionsFrom(args: readonly string[], env: Environment = process.env): CliOptions {
  const { values } = parse(args);
  const {
    port = String(DEFAULT_PORT),
    host,
    data,
    'database-url': url,
    'key-file': keyFile,
    fresh = false,
    project,
    'authorization-url': authorizationUrl,
    verbose = false,
    dev = false,
    'drain-seconds': drainSeconds = env['PORTICO_DRAIN_SECONDS'] ?? (dev ? '0' : '5'),
    'no-migrate': keep = env['PORTICO_MIGRATE'] === 'off',
    'pool-size': poolSize = env['PORTICO_POOL_SIZE'] ?? String(DATABASE_PATIENCE.connections),
  } = values;
  if (!/^\d{1,5}$/u.test(port) || Number(port) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not ${port}.`);
  }
  if (data !== undefined && url !== undefined) throw new UsageError('Give --data or --database-url, not both.');
  if (data === '') throw new UsageError('--data must name a folder, or be memory.');
  if (host === '') throw new UsageError('--host must be a name or address to listen on.');
  if (dev && host !== undefined && !isLoopbackHost(bracketed(host))) {
    throw new UsageError('--dev serves this machine alone: leave --host out, or give localhost, 127.0.0.1 or ::1.');
  }
  if (fresh && url !== undefined)
    throw new UsageError('--fresh empties a data folder; it does not touch a database of yours.');
  const store = storeFrom(data, url);
  return {
    port: Number(port),
    host: host === undefined || host === 'localhost' ? null : host,
    store,
    masterKey: masterKeyFrom(store, keyFile, env),
    fresh,
    projectFile: project ?? null,
    authorizationUrl: authorizationUrl ?? null,
    verbose,
    dev,
    drainSeconds: wholeNumber('--drain-seconds', drainSeconds, 0, 600),
    migrating: !keep,
    poolSize: wholeNumber('--pool-size', poolSize, 2, 500),
  };
}

/** The number in the text, which must be whole and within the bounds. */
function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,6}$/u.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${text}.`);
}

/** A host as it is written in a URL: IPv6 addresses in brackets. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        data: { type: 'string' },
        'database-url': { type: 'string' },
        'key-file': { type: 'string' },
        fresh: { type: 'boolean' },
        project: { type: 'string' },
        'authorization-url': { type: 'string' },
        verbose: { type: 'boolean' },
        dev: { type: 'boolean' },
        'drain-seconds': { type: 'string' },
        'no-migrate': { type: 'boolean' },
        'pool-size': { type: 'string' },
      },
    });
  } catch (error) {
    throw explained(error);
  }
}

/** The first sentence of an error of `parseArgs`, as a UsageError. */
export function explained(error: unknown): UsageError {
  const [sentence = 'The arguments are wrong'] = (error instanceof Error ? error.message : String(error)).split('. ');
  // A database URL in the wrong place would show its password.
  const told = sentence.replaceAll(/'[^']*:\/\/[^']*'/gu, "'…'");
  return new UsageError(`${told.replace(/\.$/u, '')}.`);
}

/** The store that `--data` or `--database-url` names. */
export function storeFrom(data = DEFAULT_FOLDER, url?: string): Store {
  if (url === undefined) return data === 'memory' ? { kind: 'memory' } : { kind: 'folder', path: data };
  if (!/^postgres(?:ql)?:\/\//u.test(url)) throw new UsageError('--database-url must start with postgres://.');
  return { kind: 'postgres', url };
}

/** The source of the store's key: null for a store with its own key, and when no source is given. */
export function masterKeyFrom(
  store: Store,
  file: string | undefined,
  env: Environment = process.env,
): KeySource | null {
  if (file === '') throw new UsageError('--key-file must name a file.');
  if (store.kind !== 'postgres') {
    if (file === undefined) return null;
    throw new UsageError('--key-file goes with --database-url; a data folder has its key in keys.json.');
  }
  if (file !== undefined) return { kind: 'file', path: file };
  const { PORTICO_KEY: text = '', PORTICO_KEY_FILE: path = '' } = env;
  if (text !== '' && path !== '') throw new UsageError('Set PORTICO_KEY or PORTICO_KEY_FILE, not both.');
  if (path !== '') return { kind: 'file', path };
  return text === '' ? null : { kind: 'variable', text };
}
