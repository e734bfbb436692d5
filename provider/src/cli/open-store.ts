import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type Store } from '../db/open.ts';
import type { Db } from '../db/tables.ts';
import { keysInDatabase, keysInFile, temporaryKeys, type ServerKeys } from '../security/server-keys.ts';
import { ADMIN_FILE } from './admin-file.ts';
import { lockFolder } from './folder-lock.ts';
import { UsageError } from './options.ts';

export interface OpenStore {
  readonly db: Db;
  readonly keys: ServerKeys;
  readonly close: () => Promise<void>;
}

/** Opens the store, and locks it when it is a folder. Rejects with a UsageError for what the operator can mend. */
export async function openStore(store: Store, fresh = false): Promise<OpenStore> {
  const unlock = prepare(store, fresh);
  const db = await open(store).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const close = async (): Promise<void> => {
    await db.destroy();
    unlock();
  };
  try {
    return { db, keys: await keysFor(store, db), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes and locks the data folder, and empties it when asked to. */
function prepare(store: Store, fresh: boolean): () => void {
  if (store.kind !== 'folder') return () => undefined;
  try {
    mkdirSync(store.path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(`Cannot make the data folder ${store.path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
  const unlock = lockFolder(store.path);
  if (fresh) {
    for (const name of ['db.ready', 'db', 'keys.json', ADMIN_FILE])
      rmSync(join(store.path, name), { recursive: true, force: true });
  }
  return unlock;
}

async function open(store: Store): Promise<Db> {
  try {
    return await openDatabase(store);
  } catch (error) {
    const reason =
      error instanceof Error && error.message !== '' ? error.message : String((error as { code?: unknown }).code);
    if (store.kind === 'postgres') throw new UsageError(`Cannot use the database: ${reason}`);
    if (store.kind === 'folder') throw new UsageError(`Cannot open the data folder ${store.path}: ${reason}`);
    throw error;
  }
}

function keysFor(store: Store, db: Db): Promise<ServerKeys> {
  if (store.kind === 'folder') return keysInFile(join(store.path, 'keys.json'));
  return store.kind === 'postgres' ? keysInDatabase(db) : temporaryKeys();
}
