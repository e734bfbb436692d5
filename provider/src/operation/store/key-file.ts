import { closeSync, existsSync, fstatSync, linkSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemRandom, type Random } from '#provider/base/platform.ts';
import { MasterKeyError, masterKeysFrom, newMasterKey, type MasterKeys } from '#provider/base/security/master-key.ts';
import { textOfFile } from '#provider/base/text-file.ts';
import { bothNames } from '../options/option-table.ts';
import { DEFAULT_FOLDER, UsageError, type KeySource } from '../options/options.ts';

/** The mode bits that must be unset: only the owner, and the group of a container's secrets, may read the file. */
const OPEN_TO_OTHERS = 0o037;

/** The key file for development, shared by all databases of this machine. Relative to the working directory. */
const DEVELOPERS_KEY = join(DEFAULT_FOLDER, 'database.key');

/**
 * Reads the keys. Throws a UsageError if there are no usable keys; its text never contains the file's contents.
 *
 * @param dev with `--dev`, a key is created next to the data folder if no source is given
 */
export function readMasterKeys(source: KeySource | null, dev: boolean): MasterKeys {
  if (source === null && dev) return readMasterKeys({ kind: 'file', path: developersKey() }, dev);
  if (source === null) {
    throw new UsageError(
      '--database-url needs a key that is not in the database: make one with "npx portico-provider keys FILE", ' +
        'and name it with --key-file FILE, or in PORTICO_KEY_FILE or PORTICO_KEY.',
    );
  }
  const text = source.kind === 'file' ? readPrivately(source.path) : source.text;
  try {
    return masterKeysFrom(text);
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    throw new UsageError(`${source.kind === 'file' ? `The key file ${source.path}` : 'PORTICO_KEY'} ${error.message}.`);
  }
}

function readPrivately(path: string): string {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const { mode } = fstatSync(file);
    if (process.platform !== 'win32' && (mode & OPEN_TO_OTHERS) !== 0) {
      throw new UsageError(
        `Other users can read the key file ${path} (mode ${(mode & 0o777).toString(8)}): chmod 600 ${path}.`,
      );
    }
    return textOfFile(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Cannot read the key file ${path}: ${code}. ${bothNames('keyFile')} must name a file that this user can read.`); // prettier-ignore
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The key that a server with `--dev` created here, for the `admin` command on its database; null if there is none. */
export function developersKeySource(): KeySource | null {
  return existsSync(DEVELOPERS_KEY) ? { kind: 'file', path: DEVELOPERS_KEY } : null;
}

function developersKey(): string {
  if (existsSync(DEVELOPERS_KEY)) return DEVELOPERS_KEY;
  mkdirSync(dirname(DEVELOPERS_KEY), { recursive: true, mode: 0o700 });
  // Written to a draft and then linked, so that servers that start simultaneously never read a partial file.
  const draft = `${DEVELOPERS_KEY}.${process.pid}`;
  writeFileSync(draft, `${newMasterKey(systemRandom)}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, DEVELOPERS_KEY);
  } catch {
    // Another server was first, so its key is used.
  } finally {
    rmSync(draft, { force: true });
  }
  return DEVELOPERS_KEY;
}

/** The command `keys FILE`. Never overwrites a file, because it could be the only copy of a key. */
export function makeKeyFile(path: string, random: Random): string {
  if (path === '') throw new UsageError('FILE must be the path of a file.');
  try {
    writeFileSync(path, `${newMasterKey(random)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    throw new UsageError(`Cannot make the key file ${path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
  return `A new key is in ${path}. Keep a copy of it, apart from copies of the database: nothing else decrypts it.`;
}
