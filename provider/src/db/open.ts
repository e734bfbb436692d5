import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { reportToStderr, type Report } from '../error-log.ts';
import { migrate } from './migrations.ts';
import type { Db, Tables } from './tables.ts';
import { dropTemplate, template } from './template.ts';

/** Where the data lives. */
export type Store =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Opens the store and brings its schema up to date; `destroy()` closes it. */
export async function openDatabase(store: Store, report: Report = reportToStderr): Promise<Db> {
  const db = store.kind === 'postgres' ? postgres(store.url, report) : embedded(await openPglite(store));
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.destroy().catch(() => undefined);
    throw error;
  }
}

function embedded(pglite: PGlite): Db {
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
}

async function openPglite(store: Store): Promise<PGlite> {
  if (store.kind !== 'folder') return unpack({ relaxedDurability: true });
  const dataDir = join(store.path, 'db');
  const ready = join(store.path, 'db.ready');
  if (existsSync(ready)) return PGlite.create({ dataDir });
  // A first start that was killed half-way left a folder that never answered anyone.
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

/** PostgreSQL's eight-byte integer: a number here, as in the embedded database. */
const INT8 = pg.types.builtins.INT8;

function postgres(url: string, report: Report): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', (error) => report(error, { where: 'idle database connection' }));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
