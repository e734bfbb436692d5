import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseJson } from '../../../src/domain/json.ts';
import { hasShape, type Shape } from '../../../src/domain/shape.ts';
import { clearKeysFrom } from './clear-keys.ts';
import { masterKeysFrom, newMasterKey } from './master-key.ts';
import { keysInDatabase, WrongMasterKey, type Keeping } from './server-keys.ts';
import type { ServerKeys } from '../services.ts';

/** The file of a version before migration 0011 has no master key, but the keys themselves. */
const FILE = { master: 'string?', signing: 'object?', code: 'string?' } as const satisfies Shape;

/**
 * The keys of a data folder: in its database, under a master key in a file beside that. A copy of the database alone
 * opens nothing.
 */
export async function keysBeside(keeping: Keeping, path: string): Promise<ServerKeys> {
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
  // Of an older version. Both are in the file until the database has them, so that a crash loses neither.
  const clear = clearKeysFrom(stored);
  const { master = newMasterKey(keeping.random) } = stored;
  replace(path, { ...stored, master });
  const keys = await keysInDatabase(keeping, masterKeysFrom(master), clear);
  replace(path, { master });
  return keys;
}

async function isKeyed({ db }: Keeping): Promise<boolean> {
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

/** A name that is not on the disk is lost with the power, and the key with it. Not every system can be asked for it. */
function settle(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    fsyncSync(opened);
    closeSync(opened);
  } catch {
    // As good as it gets here.
  }
}
