import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import type { Database } from '#provider/base/db/database.ts';
import { EmbeddedPool } from '#provider/base/db/engine/embedded.ts';
import { template } from '#provider/base/db/template.ts';
import { empty, selectFilled } from './emptying.ts';
import { leased } from './leased-pool.ts';
import type { EmptyDatabase } from './postgres.ts';

/** Empty embedded databases for tests; the files of a worker pass them on. */

interface IdleDatabase {
  readonly pool: EmbeddedPool;
  readonly filled: string;
}

const idle: IdleDatabase[] = [];
const MOST_IDLE = 3;

async function start(): Promise<IdleDatabase> {
  const pglite = await PGlite.create({ relaxedDurability: true, loadDataDir: await template() });
  const pool = new EmbeddedPool(pglite);
  return { pool, filled: await selectFilled(pool) };
}

/**
 * An empty embedded database with every migration applied; `drop` gives it back. A transaction that never ends would hold
 * up the next test, so a database with one is not passed on.
 */
export async function emptyEmbedded(): Promise<EmptyDatabase> {
  const own = idle.pop() ?? (await start());
  const pool = leased(own.pool);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const drop = async (): Promise<void> => {
    await pool.end();
    if (idle.length >= MOST_IDLE || pool.busy() || pool.altered()) return own.pool.end();
    await empty(own.pool, own.filled);
    idle.push(own);
  };
  return { db, drop };
}
