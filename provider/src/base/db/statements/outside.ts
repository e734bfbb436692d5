import type { Db } from '../database.ts';

/** What one call of `transaction` remembers from attempt to attempt, by names. */
export type AttemptMemory = Map<string, unknown>;

const memories = new WeakMap<Db, AttemptMemory>();

/** Gives a transaction what earlier attempts of it have found out. */
export function remember(tx: Db, memory: AttemptMemory): void {
  memories.set(tx, memory);
}

/**
 * Ends an attempt of a transaction whose next step depends on another server. `transaction` rolls it back, so that neither a lock nor a
 * connection of the database waits, sends the request, and repeats the work with the answer.
 */
export class OutsideFirst extends Error {
  constructor(
    readonly question: string,
    readonly send: () => Promise<unknown>,
    /** The error for a question that never stays the same. */
    readonly unsettled: () => Error,
  ) {
    super('A request must be sent before this transaction.');
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
