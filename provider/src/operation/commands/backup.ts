import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { COMPLETE } from '../backup/dump-stream.ts';
import { dump } from '../backup/dump.ts';
import { BackupError, BackupLines, checkBackup, contentsOf, FORMAT, readBackup, readHead } from '../backup/format.ts';
import { load } from '../backup/load.ts';
import { makeEmpty } from '#provider/base/db/folder.ts';
import { openToMigrate } from '#provider/base/db/open.ts';
import { loopbackFetch } from '#provider/base/http/loopback-fetch.ts';
import { systemClock as clock, systemRandom as random } from '#provider/base/platform.ts';
import { masterKeysFrom } from '#provider/base/security/master-key.ts';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { isServing, readAdminFile, type AdminAccess } from '../store/admin-file.ts';
import type { OptionValues } from '../options/option-values.ts';
import { openFailure, prepareFolder } from '../store/open-store.ts';
import { storeFrom, UsageError } from '../options/options.ts';
import { RestoreRoom } from '../store/restore-room.ts';

const KEYS = 'keys.json';

type Write = (content: unknown) => Promise<void>;

interface BackupFields {
  readonly file: string;
}
type Location = OptionValues<'data' | 'databaseUrl'>;

/** The command `admin backup FILE`. */
export const runBackup = async ({ file }: BackupFields, options: Location): Promise<string> =>
  explained('backup', file, options, backup);

/** The command `admin restore FILE`. */
export const runRestore = async ({ file }: BackupFields, options: Location): Promise<string> =>
  explained('restore', file, options, restore);

async function explained(
  command: 'backup' | 'restore',
  file: string,
  options: Location,
  run: (folder: string, file: string) => Promise<string>,
): Promise<string> {
  const store = storeFrom(options);
  if (store.kind !== 'folder') {
    throw new UsageError(`admin ${command} is for a data folder; a PostgreSQL database has pg_dump and pg_restore.`);
  }
  try {
    return await run(store.path, file);
  } catch (error) {
    if (error instanceof BackupError) throw new UsageError(`${file} ${error.message}.`);
    const { code, syscall, path } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new UsageError(`Cannot use ${path ?? file}: ${code ?? syscall}.`);
    throw error;
  }
}

/** Writes a draft, reads it completely, and only then renames it. */
async function backup(folder: string, file: string): Promise<string> {
  if (existsSync(file)) throw new UsageError(`${file} exists already, and a backup is never overwritten.`);
  const keys = readFileSync(join(folder, KEYS), 'utf8');
  const draft = `${file}.partial`;
  rmSync(draft, { force: true });
  try {
    await writeFile(draft, keys, async (write) => {
      const access = readAdminFile(folder);
      const isServed = access !== null && (await isServing(access)) && (await throughServer(access, write));
      if (!isServed) await directly(folder, write);
    });
    const { rows } = await checkBackup(draft);
    linkSync(draft, file);
    return `${file} contains ${rows} rows and the key of the folder: whoever reads it can act as every user.`;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function writeFile(path: string, keys: string, source: (write: Write) => Promise<void>): Promise<void> {
  const zip = createGzip();
  const completion = pipeline(zip, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  // It is awaited below, but may reject earlier.
  completion.catch(() => undefined);
  const lines = new BackupLines();
  const write: Write = async (content) => {
    if (!zip.write(lines.line(content))) await Promise.race([once(zip, 'drain'), completion]);
  };
  try {
    await write({ portico_backup: FORMAT, made_at: new Date(clock.now()).toISOString(), keys });
    await source(write);
    zip.end(lines.last());
  } catch (error) {
    zip.destroy();
    await completion.catch(() => undefined);
    throw error;
  }
  await completion;
}

/** Reads the database from the server that holds the folder. False if it does not answer, because it died. */
async function throughServer({ url, secret }: AdminAccess, write: Write): Promise<boolean> {
  const headers = { authorization: `Bearer ${secret}` };
  const reply = await loopbackFetch(`${url}/admin/backup`, { method: 'POST', headers }).catch(() => null);
  if (reply === null) return false;
  if (reply.status !== 200 || reply.body === null) {
    throw new UsageError(`The server at ${url} does not answer as a provider of this version.`);
  }
  let last: unknown = null;
  for await (const content of contentsOf(reply.body)) {
    if (last !== null) await write(last);
    last = content;
  }
  if (JSON.stringify(last) !== JSON.stringify(COMPLETE))
    throw new UsageError('The server ended before the backup did.');
  return true;
}

/** Reads the database from the folder, which no server may use at the same time. */
async function directly(folder: string, write: Write): Promise<void> {
  const store = { kind: 'folder', path: folder } as const;
  const { store: prepared, unlock } = await prepareFolder(store);
  try {
    await openToMigrate(prepared, (db) => dump(db, write));
  } catch (error) {
    // An error with a system call is about the backup file.
    const isFile = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw error instanceof UsageError || isFile ? error : openFailure(store, error);
  } finally {
    unlock();
  }
}

/** Restores into a folder next to the target, compares it with the backup, and only then moves it to the target. */
async function restore(folder: string, file: string): Promise<string> {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(`${folder} is not empty: restore into a new folder, named with --data.`);
  }
  const contents = await checkBackup(file);
  const draft = `${resolve(folder)}.restoring`;
  // The draft of a killed restore is removed first, because it occupies space.
  if (!existsSync(draft)) new RestoreRoom(draft, contents).check(file);
  const { unlock } = await prepareFolder({ kind: 'folder', path: draft }, { fresh: true });
  const room = new RestoreRoom(draft, contents);
  try {
    room.check(file);
    const lines = readBackup(file);
    const { keys, made_at } = await readHead(lines);
    const db = await makeEmpty(draft);
    try {
      await load(db, lines);
      await keysInDatabase({ db, clock, random }, masterKeysFrom(masterIn(keys))).catch(() => {
        throw new BackupError('contains a key that does not open its database');
      });
    } finally {
      await db.destroy();
    }
    writeFileSync(join(draft, KEYS), keys, { mode: 0o600, flush: true });
    if (existsSync(folder)) rmdirSync(folder);
    unlock();
    renameSync(draft, folder);
    return `${folder} contains the backup of ${made_at}.`;
  } catch (error) {
    throw error instanceof UsageError ? error : room.explain(file, error);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    unlock();
  }
}

function masterIn(keys: string): string {
  const content = parseJson(keys);
  const master = isRecord(content) ? content['master'] : undefined;
  if (typeof master !== 'string') throw new BackupError('contains no key');
  return master;
}
