import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { DatabaseUnavailable, isReferenceGone, sqlState } from './database-errors.ts';
import type { Db, Database } from './database.ts';
import { isAboutName } from './named-statements.ts';
import { TRANSACTION_MS } from './transaction-limit.ts';

export { sqlState } from './database-errors.ts';

/** Serialization failure and deadlock: the whole transaction must be repeated. */
const AGAIN: ReadonlySet<string> = new Set(['40001', '40P01']);
const TRIES = 8;
/** After a row that the transaction had read was removed. The next try notices it, unless the row was read before the transaction. */
const TRIES_WITHOUT_ROW = 2;

/** Another transaction changed what this one had read: `transaction` repeats it. */
export class ChangedMeanwhile extends Error {
  /** The code of a serialization failure. */
  readonly code = '40001';
}

/**
 * Runs `work` in a transaction, and repeats it when the database requires that: `work` must have no effects outside.
 *
 * Read committed is enough because every invariant is enforced by a unique key, a row lock or a one-winner statement;
 * serializable would make unrelated sign-ins fail each other, because PostgreSQL locks small tables as a whole. Inside,
 * only the transaction may be used: the embedded database has one connection.
 */
export async function transaction<T>(
  db: Db,
  work: (tx: Transaction<Database>) => Promise<T>,
  isolation: 'read committed' | 'serializable' = 'read committed',
  withinMs = TRANSACTION_MS,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db
        .transaction()
        .setIsolationLevel(isolation)
        .execute((tx) => within(withinMs, work(tx)));
    } catch (error) {
      if (attempt >= triesAfter(error)) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

function triesAfter(error: unknown): number {
  if (isReferenceGone(error)) return TRIES_WITHOUT_ROW;
  return AGAIN.has(sqlState(error)) || isAboutName(error) ? TRIES : 1;
}

/** Rejects after the time limit, so that the transaction is rolled back; later statements of `work` are rejected. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const late = new DatabaseUnavailable('The transaction did not end in time.');
    timer = setTimeout(() => reject(late), milliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
