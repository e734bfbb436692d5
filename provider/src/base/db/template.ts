import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Database } from './database.ts';

/**
 * A ready-made database with every migration applied. Making one takes seconds, but unpacking one is much faster. So it is cached next to
 * the package that made it, under a name that changes with the migrations and with the package.
 */
export async function template(): Promise<Blob> {
  const path = cachePath();
  if (path !== null && existsSync(path)) return new Blob([readFileSync(path)]);
  const archive = await make();
  if (path !== null) await keep(path, archive);
  return archive;
}

/** Deletes a cached template that turned out to be damaged. */
export function dropTemplate(): void {
  const path = cachePath();
  if (path !== null) rmSync(path, { force: true });
}

function cachePath(): string | null {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const modules = entry.lastIndexOf(join('node_modules', '@electric-sql'));
  if (modules < 0) return null;
  const manifest = readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const key = createHash('sha256')
    .update(JSON.stringify([version, MIGRATIONS]))
    .digest('hex')
    .slice(0, 16);
  return join(entry.slice(0, modules), 'node_modules', '.cache', 'portico', `pglite-${key}.tar.gz`);
}

async function make(): Promise<Blob> {
  const pglite = await PGlite.create();
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
  try {
    await migrate(db);
    return await pglite.dumpDataDir('gzip');
  } finally {
    await db.destroy();
  }
}

/** Atomic, so that simultaneous first starts never read an incomplete file. If the cache cannot be written, that is no error. */
async function keep(path: string, archive: Blob): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, new Uint8Array(await archive.arrayBuffer()));
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
