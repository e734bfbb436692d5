import { accessSync, constants, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { isNearlyFull } from '#provider/base/db/engine/engine-end.ts';
import { holdsDatabase } from '#provider/base/db/folder.ts';
import { lockFolder } from '#provider/base/db/engine/folder-lock.ts';
import { openDatabase, type Store } from '#provider/base/db/open.ts';
import { DATABASE_PATIENCE } from '#provider/base/db/engine/postgres.ts';
import { reportToStderr, type Report } from '#provider/base/log/error-log.ts';
import type { Db, QueryObserver } from '#provider/base/db/database.ts';
import { diskOf } from '#provider/base/free-space.ts';
import { systemClock as clock, systemRandom as random } from '#provider/base/platform.ts';
import { keysBeside } from '#provider/base/security/keys-file.ts';
import type { MasterKeys } from '#provider/base/security/master-key.ts';
import { keysInDatabase, temporaryKeys, WrongMasterKey } from '#provider/base/security/server-keys.ts';
import type { ServerKeys } from '#provider/base/services.ts';
import { ADMIN_FILE } from './admin-file.ts';
import { readMasterKeys } from './key-file.ts';
import { missingRight } from './missing-right.ts';
import { UsageError, type KeySource } from '../options/options.ts';
import { tlsRemedy } from './tls-remedy.ts';

export interface OpenStore {
  readonly db: Db;
  readonly keys: ServerKeys;
  readonly close: () => Promise<void>;
}

export interface StoreOptions {
  /** The source of a PostgreSQL database's key, if one was given. */
  readonly masterKey: KeySource | null;
  /** Whether to create a key if no source was given. */
  readonly dev?: boolean;
  readonly fresh?: boolean;
  /** The most connections to a PostgreSQL database. */
  readonly poolSize?: number | null;
  /** False to refuse an outdated schema instead of changing it. */
  readonly migrating?: boolean;
  /** Logs errors of idle connections. */
  readonly report?: Report;
  /** Called before a database is created in a data folder, which takes seconds. */
  readonly onNew?: () => void;
  /** Logs a sentence for the operator. */
  readonly warn?: (sentence: string) => void;
  /** Waits for a data folder that another process uses, and is called once with a sentence about it. If absent, the folder is refused. */
  readonly onBusy?: ((sentence: string) => void) | undefined;
  /** Called after every statement. */
  readonly onQuery?: QueryObserver | undefined;
}

/** Opens the store, and locks it if it is a folder. Rejects with a UsageError if the operator can fix the problem. */
export async function openStore(store: Store, opening: StoreOptions): Promise<OpenStore> {
  const { masterKey, dev = false } = opening;
  // Read before the database is opened, so that a server without a key does not migrate the schema.
  const masters = store.kind === 'postgres' ? readMasterKeys(masterKey, dev) : null;
  const { store: prepared, unlock } = await prepareFolder(store, opening);
  if (store.kind === 'folder' && !holdsDatabase(store.path)) opening.onNew?.();
  const db = await open(prepared, opening).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const close = async (): Promise<void> => {
    await db.destroy();
    unlock();
  };
  try {
    if (opening.warn !== undefined) await warnOfCollation(db, opening.warn);
    return { db, keys: await keysFor(store, db, masters), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface PreparedStore {
  /** The store. If it is a folder, it checks its lock. */
  readonly store: Store;
  /** Releases the lock. */
  readonly unlock: () => void;
}

/** Creates and locks the data folder, and empties it with `--fresh`. */
export async function prepareFolder(
  store: Store,
  { fresh = false, onBusy }: Pick<StoreOptions, 'fresh' | 'onBusy'> = {},
): Promise<PreparedStore> {
  if (store.kind !== 'folder') return { store, unlock: () => undefined };
  try {
    mkdirSync(store.path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(`Cannot make the data folder ${store.path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
  const lock = await lockFolder(store.path, { onBusy });
  try {
    if (fresh) {
      for (const name of ['db.ready', 'db', 'keys.json', ADMIN_FILE])
        rmSync(join(store.path, name), { recursive: true, force: true });
    }
    checkAccess(store.path);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { store: { ...store, lock }, unlock: () => lock.release() };
}

/** Checks the access, because files of another user would look damaged to the database. */
function checkAccess(folder: string): void {
  for (const name of ['db', join('db', 'PG_VERSION'), 'keys.json']) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') continue;
      throw new UsageError(
        `Cannot read and write ${path}: ${code}. The user who runs the server must own the data folder and everything in it.`,
      );
    }
  }
}

/**
 * Warns if a search for users cannot ignore the case of all letters: it uses a collation of the database, and some databases have none for
 * that.
 */
async function warnOfCollation(db: Db, warn: (sentence: string) => void): Promise<void> {
  const { rows } = await sql<{ folds: boolean }>`select folded('IÉЖ') = 'iéж' as folds`.execute(db);
  if (rows[0]?.folds === true) return;
  warn(
    'no collation of the database folds the case of all letters, so searches for users may miss some: a database with the locale ' +
      'C.UTF-8 or en_US.UTF-8, or a PostgreSQL with ICU, finds them',
  );
}

/** The most connections that a process opens. */
export function poolSizeOf({ poolSize }: Pick<StoreOptions, 'poolSize'>): number {
  return poolSize ?? DATABASE_PATIENCE.connections;
}

async function open(
  store: Store,
  { poolSize, migrating, report = reportToStderr, onQuery }: StoreOptions,
): Promise<Db> {
  const connections = poolSizeOf({ poolSize });
  try {
    return await openDatabase(store, report, { ...DATABASE_PATIENCE, connections }, migrating, onQuery);
  } catch (error) {
    throw openFailure(store, error);
  }
}

/** The error as a UsageError, if the operator can correct it. */
export function openFailure(store: Store, error: unknown): unknown {
  const reason =
    error instanceof Error && error.message !== '' ? error.message : String((error as { code?: unknown }).code);
  if (store.kind === 'postgres') {
    const remedy = tlsRemedy(error, store.url);
    const text = remedy === null ? reason : `${reason.replace(/\.$/u, '')}. ${remedy}`;
    return missingRight(error) ?? new UsageError(`Cannot use the database: ${text}`);
  }
  if (store.kind !== 'folder') return error;
  // To an engine that cannot write, files look damaged.
  const why = isNearlyFull(store.path)
    ? `the disk at ${diskOf(store.path).path} is full. Make room, and try again.`
    : reason;
  return new UsageError(`Cannot open the data folder ${store.path}: ${why}`);
}

/** Rejects with a UsageError if the database is a standby, because a server writes from its start on. */
export async function refuseStandby(db: Db): Promise<void> {
  const { rows } = await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(db);
  if (rows[0]?.transaction_read_only === 'off') return;
  throw new UsageError(
    'Cannot use the database: it refuses writes, as a standby does. Give the address of the primary, or all hosts and ' +
      'target_session_attrs=read-write.',
  );
}

/** The keys of the store. If there are none, they are created. Rejects with a UsageError if the operator can fix the problem. */
export async function keysFor(store: Store, db: Db, masters: MasterKeys | null): Promise<ServerKeys> {
  try {
    if (masters !== null) return await keysInDatabase({ db, clock, random }, masters);
    if (store.kind !== 'folder') return await temporaryKeys();
    return await keysBeside({ db, clock, random }, join(store.path, 'keys.json'));
  } catch (error) {
    const denied = missingRight(error);
    if (denied !== null) {
      if (/permission denied for/u.test(denied.message)) throw denied;
      throw new UsageError(
        'This database has no keys yet, and only the owner of its tables can make them: ' +
          'run portico-provider migrate as that role, with the key.',
      );
    }
    if (!(error instanceof WrongMasterKey)) throw error;
    throw new UsageError(
      store.kind === 'folder'
        ? `The database in ${store.path} needs its original keys.json: put it back, or start with empty data by --fresh.`
        : 'The key does not open this database: give the one that it was last started with, after the new one where you replace it.',
    );
  }
}
