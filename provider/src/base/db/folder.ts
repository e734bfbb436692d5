import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DatabaseUnavailable } from './database-errors.ts';
import type { Db, QueryObserver } from './database.ts';
import { embedded } from './engine/embedded.ts';
import { endWhenBroken, isNearlyFull, say } from './engine/engine-end.ts';
import type { FolderLock } from './engine/folder-lock.ts';
import { SET_SESSION } from './engine/session-settings.ts';
import { canWait } from './engine/stuck-rows.ts';
import { dropTemplate, template } from './template.ts';

const READY = 'db.ready';

/** A new database in memory. */
export async function openMemory(log?: QueryObserver): Promise<Db> {
  return embedded(await unpack({ relaxedDurability: true }), { log });
}

export interface DataFolder {
  readonly path: string;
  /** Its lock; absent in tests. */
  readonly lock?: Pick<FolderLock, 'check'>;
}

/** The database in the folder. If there is none, it is created. */
export async function openFolder({ path, lock }: DataFolder, log?: QueryObserver): Promise<Db> {
  lock?.check();
  const pglite = await filesIn(path);
  endWhenBroken(pglite, path);
  await pglite.exec(SET_SESSION);
  const room = new DiskSpaceGuard(path);
  const admit = (sql: string): void => {
    lock?.check();
    room.check(sql);
  };
  return embedded(pglite, { admit, log });
}

/** Whether a server or command made a database in the folder. */
export function holdsDatabase(folder: string): boolean {
  return existsSync(join(folder, READY));
}

/** A new database in the folder, which is not used by a server, so the process does not end with its engine. */
export async function makeEmpty(folder: string): Promise<Db> {
  return embedded(await filesIn(folder));
}

async function filesIn(folder: string): Promise<PGlite> {
  const dataDir = join(folder, 'db');
  const ready = join(folder, READY);
  if (existsSync(ready)) {
    // If this file is missing, PGlite would make a new database over the old one.
    if (!existsSync(join(dataDir, 'PG_VERSION'))) throw new Error('files of the database are missing.');
    return PGlite.create({ dataDir }).catch((error: unknown) => {
      throw new Error('its files are damaged: restore a backup.', { cause: error });
    });
  }
  // A first start that was killed left an incomplete folder, which never answered a request.
  rmSync(dataDir, { recursive: true, force: true });
  const pglite = await unpack({ dataDir });
  writeFileSync(ready, '');
  return pglite;
}

async function unpack(options: { readonly dataDir?: string; readonly relaxedDurability?: boolean }): Promise<PGlite> {
  try {
    return await PGlite.create({ ...options, loadDataDir: await template() });
  } catch {
    dropTemplate();
    if (options.dataDir !== undefined) rmSync(options.dataDir, { recursive: true, force: true });
    return PGlite.create({ ...options });
  }
}

/** How long a measurement of the free space is used. */
const MEASURED_MS = 500;

/** Refuses to write while the disk is nearly full. Requests are then answered 503, and succeed again once there is room. */
class DiskSpaceGuard {
  private measuredAt = Number.NEGATIVE_INFINITY;
  private full = false;

  constructor(private readonly folder: string) {}

  check(sql: string): void {
    if (!canWait(sql)) return;
    const now = performance.now();
    if (now - this.measuredAt > MEASURED_MS) this.measure(now);
    if (this.full) throw new DatabaseUnavailable('The disk is full.');
  }

  private measure(now: number): void {
    this.measuredAt = now;
    const full = isNearlyFull(this.folder);
    if (full !== this.full) {
      say(
        full
          ? `The disk of ${this.folder} is nearly full: writes are refused until 32 MB are free.`
          : `The disk of ${this.folder} has room again: writes are accepted.`,
      );
    }
    this.full = full;
  }
}
