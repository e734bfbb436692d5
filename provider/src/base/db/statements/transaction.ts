import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { DatabaseUnavailable, isReferenceGone, sqlState } from '../database-errors.ts';
import type { Db, Database } from '../database.ts';
import { isAboutName } from '../engine/named-statements.ts';
import { TRANSACTION_MS } from './transaction-limit.ts';

export { sqlState } from '../database-errors.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/** The whole transaction must be repeated. */
const AGAIN: ReadonlySet<string> = new Set([SERIALIZATION_FAILURE, DEADLOCK]);
const TRIES = 8;
/** A row that the transaction had read was removed. The next attempt notices that, unless the row was read before the transaction. */
const TRIES_WITHOUT_ROW = 2;

/** The most requests to other servers for one transaction. More mean that what they are about changes all the time. */
const MOST_QUESTIONS = 4;

/** Why transactions were repeated: two changed the same rows, two waited for each other, or another reason. */
type RetryCause = 'conflict' | 'deadlock' | 'other';
type TransactionRetries = Readonly<Record<RetryCause, number>>;

const retries = new WeakMap<Db, Record<RetryCause, number>>();

/** How often this process has repeated a transaction on the database. */
export function retriesOf(db: Db): TransactionRetries {
  return retries.get(db) ?? { conflict: 0, deadlock: 0, other: 0 };
}

function countRetry(db: Db, error: unknown): void {
  const counts = { ...retriesOf(db) };
  const state = sqlState(error);
  counts[state === SERIALIZATION_FAILURE ? 'conflict' : state === DEADLOCK ? 'deadlock' : 'other'] += 1;
  retries.set(db, counts);
}

/** What one call of `transaction` remembers from attempt to attempt, by names. */
type AttemptMemory = Map<string, unknown>;

const memories = new WeakMap<Db, AttemptMemory>();

/** Gives a transaction what earlier attempts of it have found out. */
function remember(tx: Db, memory: AttemptMemory): void {
  memories.set(tx, memory);
}

/**
 * Ends an attempt of a transaction whose next step depends on another server. `transaction` rolls it back, so that neither a lock nor a
 * connection of the database waits, sends the request, and repeats the work with the answer.
 */
class OutsideFirst extends Error {
  constructor(
    readonly question: string,
    readonly send: () => Promise<unknown>,
    /** The error for a question that never stays the same. */
    readonly unsettled: () => Error,
  ) {
    super('A request must be sent before this transaction.');
  }
}

/** Another transaction changed what this one had read. `transaction` repeats it. */
export class ChangedMeanwhile extends Error {
  readonly code = SERIALIZATION_FAILURE;
}

/**
 * Runs `work` in a transaction, and repeats it if the database requires that, so `work` must have no effects outside.
 *
 * Read committed is enough because every invariant is enforced by a unique key, a row lock or a one-winner statement. Serializable would
 * make unrelated sign-ins fail each other, because PostgreSQL locks small tables as a whole. Inside, only the transaction may be used: the
 * embedded database has one connection. A request to another server is sent between two attempts (`answerTo`).
 */
export async function transaction<T>(
  db: Db,
  work: (tx: Transaction<Database>) => Promise<T>,
  isolation: 'read committed' | 'serializable' = 'read committed',
  withinMs = TRANSACTION_MS,
): Promise<T> {
  const memory: AttemptMemory = new Map();
  for (let [attempt, questions] = [1, 0]; ;) {
    try {
      return await db
        .transaction()
        .setIsolationLevel(isolation)
        .execute((tx) => {
          remember(tx, memory);
          return within(withinMs, work(tx));
        });
    } catch (error) {
      if (error instanceof OutsideFirst) {
        questions += 1;
        if (questions > MOST_QUESTIONS) throw error.unsettled();
        memory.set(error.question, await error.send());
        continue;
      }
      if (attempt >= triesAfter(error)) throw error;
      countRetry(db, error);
      await sleep(Math.random() * 10 * 2 ** attempt);
      attempt += 1;
    }
  }
}

function triesAfter(error: unknown): number {
  if (isReferenceGone(error)) return TRIES_WITHOUT_ROW;
  return AGAIN.has(sqlState(error)) || isAboutName(error) ? TRIES : 1;
}

/** Rejects after the time limit, so that the transaction is rolled back. Later statements of `work` are rejected. */
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

/**
 * The answer to exactly this question, which must name everything that the answer is about. If no earlier attempt of the transaction
 * has it, for example because the rows have changed since, the request is sent first.
 *
 * @param unsettled the error if the question has changed after each of the most requests that are sent for one transaction
 */
export function answerTo<T>(tx: Db, question: string, send: () => Promise<T>, unsettled: () => Error): T {
  const memory = memories.get(tx);
  if (memory === undefined) throw new Error('answerTo() needs a transaction of transaction()');
  if (!memory.has(question)) throw new OutsideFirst(question, send, unsettled);
  return memory.get(question) as T;
}

/** A random value, such as an id, that is the same in each attempt of the transaction, so that answers about it stay true. */
export function sameInEachAttempt<T>(tx: Db, name: string, make: () => T): T {
  const memory = memories.get(tx);
  if (memory === undefined) return make();
  if (!memory.has(name)) memory.set(name, make());
  return memory.get(name) as T;
}
