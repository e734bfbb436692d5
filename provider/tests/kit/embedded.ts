import { PGlite } from '@electric-sql/pglite';
import type { Db } from '../../src/base/db/database.ts';
import { embedded } from '../../src/base/db/embedded.ts';
import { template } from '../../src/base/db/template.ts';
import { emptied, schemaOf, type RunStatements } from './emptying.ts';

/** Empty embedded databases for tests; the files of a worker pass them on. */

interface EmbeddedDatabase {
  readonly pglite: PGlite;
  /** What its schema consists of: a database whose schema a test has changed is not passed on. */
  readonly schema: string;
}

const idle: EmbeddedDatabase[] = [];
const MOST_IDLE = 3;

const runOn =
  (pglite: PGlite): RunStatements =>
  async (statements) =>
    ((await pglite.exec(statements)).at(-1)?.rows ?? []).map((row) => String(row['value']));

async function start(): Promise<EmbeddedDatabase> {
  const pglite = await PGlite.create({ relaxedDurability: true, loadDataDir: await template() });
  return { pglite, schema: await schemaOf(runOn(pglite)) };
}

async function giveBack(own: EmbeddedDatabase): Promise<void> {
  const { pglite, schema } = own;
  if (idle.length >= MOST_IDLE || !(await emptied(runOn(pglite), schema))) return pglite.close();
  // The next connection would find the names taken, and do without prepared statements.
  await pglite.exec('deallocate all');
  idle.push(own);
}

/**
 * An empty embedded database with every migration applied; `destroy()` gives it back. A transaction that never ends would hold
 * up the next test, so a database with one is not passed on.
 */
export async function emptyEmbedded(): Promise<Db> {
  const own = idle.pop() ?? (await start());
  return embedded(own.pglite, { close: (busy) => (busy ? own.pglite.close() : giveBack(own)) });
}
