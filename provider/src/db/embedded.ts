import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, type PGlite as PGliteConnection } from 'kysely';
import { DatabaseUnavailable } from './database-errors.ts';
import type { Db, Database } from './database.ts';
import { endWhenBroken, isNearlyFull, say } from './engine-end.ts';
import { canWait } from './stuck-rows.ts';
import { dropTemplate, template } from './template.ts';

/** The database whose files are in the folder, made there if there is none; in memory for null. */
export async function openEmbedded(folder: string | null): Promise<Db> {
  if (folder === null) return withDialect(await unpack({ relaxedDurability: true }));
  const pglite = await openFolder(folder);
  endWhenBroken(pglite, folder);
  return withDialect(new RoomyPGlite(pglite, folder));
}

function withDialect(pglite: PGliteConnection): Db {
  return new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
}

async function openFolder(folder: string): Promise<PGlite> {
  const dataDir = join(folder, 'db');
  const ready = join(folder, 'db.ready');
  if (existsSync(ready)) {
    // Without this file PGlite would make a new database over the old one.
    if (!existsSync(join(dataDir, 'PG_VERSION'))) throw new Error('files of the database are missing.');
    return PGlite.create({ dataDir }).catch((error: unknown) => {
      throw new Error('its files are damaged: restore a backup.', { cause: error });
    });
  }
  // A first start that was killed left an incomplete folder, which never served a request.
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

/** Refuses to write while the disk is nearly full, so that requests are answered 503 and succeed again once there is room. */
class RoomyPGlite implements PGliteConnection {
  readonly ready = true;
  readonly waitReady = Promise.resolve();
  private measuredAt = Number.NEGATIVE_INFINITY;
  private full = false;

  constructor(
    private readonly pglite: PGlite,
    private readonly folder: string,
  ) {}

  get closed(): boolean {
    return this.pglite.closed;
  }

  get query(): PGliteConnection['query'] {
    const query: PGliteConnection['query'] = (sql, ...rest) => {
      this.checkRoom(sql);
      return this.pglite.query(sql, ...rest);
    };
    return query;
  }

  transaction<T>(work: Parameters<PGliteConnection['transaction']>[0]): Promise<T> {
    return this.pglite.transaction((tx) => {
      const query: typeof tx.query = (sql, ...rest) => {
        this.checkRoom(sql);
        return tx.query(sql, ...rest);
      };
      return work({ ...tx, query });
    }) as Promise<T>;
  }

  close(): Promise<void> {
    return this.pglite.close();
  }

  private checkRoom(sql: string): void {
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
