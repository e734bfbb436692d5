import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Db, Tables } from './tables.ts';

/** Serialization failure and deadlock: PostgreSQL asks for the whole transaction once more. */
const AGAIN: ReadonlySet<string> = new Set(['40001', '40P01']);
const TRIES = 8;

export function sqlState(thrown: unknown): string {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/**
 * Runs `work` in a transaction, again when the database asks for it: `work` must have no effect outside of it.
 *
 * Read committed is enough where every promise is held by a unique key, a row lock or a one-winner statement, as all
 * of this slice's are; serializable would make sign-ins of strangers fail each other, because PostgreSQL locks small
 * tables whole. Inside, only the transaction may be used: the embedded database has one connection.
 */
export async function transaction<T>(
  db: Db,
  work: (tx: Transaction<Tables>) => Promise<T>,
  isolation: 'read committed' | 'serializable' = 'read committed',
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel(isolation).execute(work);
    } catch (error) {
      if (attempt >= TRIES || !AGAIN.has(sqlState(error))) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}
