import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJson } from '#domain/json.ts';
import { hasShape, type Shape } from '#domain/shape.ts';
import { clearKeysFrom } from './clear-keys.ts';
import { masterKeysFrom, newMasterKey } from './master-key.ts';
import { keysInDatabase, WrongMasterKey, type ServerKeyServices } from './server-keys.ts';
import type { ServerKeys } from '../services.ts';

/** In versions that did not encrypt keys, the file contained the keys themselves and no master key. */
const FILE = { master: 'string?', signing: 'object?', code: 'string?' } as const satisfies Shape;

/**
 * The keys of a data folder. They are in its database, encrypted under a master key in a separate file, so a copy of only the database does
 * not reveal them.
 */
export async function keysBeside(keeping: ServerKeyServices, path: string): Promise<ServerKeys> {
  const text = readIfThere(path);
  if (text === null) {
    if (await isKeyed(keeping)) throw new WrongMasterKey();
    const master = newMasterKey(keeping.random);
    write(path, { master }, 'wx');
    return keysInDatabase(keeping, masterKeysFrom(master));
  }
  const stored = parseJson(text);
  if (!hasShape(FILE, stored)) throw new Error('the stored server keys are damaged');
  if (stored.code === undefined && stored.master !== undefined) {
    return keysInDatabase(keeping, masterKeysFrom(stored.master));
  }
  // A file of an older version. It keeps old keys and master key until the keys are in the database, so that a crash loses none.
  const clear = clearKeysFrom(stored);
  const { master = newMasterKey(keeping.random) } = stored;
  replace(path, { ...stored, master });
  const keys = await keysInDatabase(keeping, masterKeysFrom(master), clear);
  replace(path, { master });
  return keys;
}

async function isKeyed({ db }: ServerKeyServices): Promise<boolean> {
  return (await db.selectFrom('sealed_keys').select('name').executeTakeFirst()) !== undefined;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function replace(path: string, content: object): void {
  write(`${path}.new`, content, 'w');
  renameSync(`${path}.new`, path);
  settle(dirname(path));
}

function write(path: string, content: object, flag: 'w' | 'wx'): void {
  writeFileSync(path, JSON.stringify(content), { mode: 0o600, flag, flush: true });
  settle(dirname(path));
}

/** Flushes the folder: if its entry is not on the disk, a power failure could lose the file. Not every system supports this. */
function settle(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    fsyncSync(opened);
    closeSync(opened);
  } catch {
    // This system cannot flush folders.
  }
}
