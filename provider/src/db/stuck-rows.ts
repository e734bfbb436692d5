import { DatabaseUnavailable } from './database-errors.ts';

/** Statements that can wait for a row. */
const LOCKS = /^(?:insert|update|delete|with)\b|\bfor (?:no key )?(?:update|share)\b/iu;
/** A parameter that names one row: an id of a user's, a hash, or a bucket of the limits; not what many rows share. */
const NAMES_A_ROW = /^(?:(?:user|session|email|phone-number|password|totp)-[\w-]{20,}|[\w-]{43}|[\w-]+:[\w.:@+-]+)$/u;
/** So many are remembered at most: a table of everything that is stuck would be stuck itself. */
const MAX_REMEMBERED = 1000;

/**
 * Remembers rows whose lock was waited for in vain. For a moment only one statement waits for such a row: requests
 * about one stuck row must not hold every connection, because then nobody is served.
 */
export class StuckRows {
  /** When a row may be tried again, by `performance.now()`. */
  readonly #until = new Map<string, number>();

  constructor(private readonly restMs: number) {}

  /** Rejects a statement for a row that another statement waits for already. */
  check(sql: string, parameters: readonly unknown[]): void {
    if (this.#until.size === 0 || !LOCKS.test(sql)) return;
    const now = performance.now();
    const stuck = rowsIn(parameters).filter((row) => this.#until.has(row));
    if (stuck.some((row) => (this.#until.get(row) ?? 0) > now)) {
      throw new DatabaseUnavailable('The row is locked, and somebody waits for it already.');
    }
    // This one tries.
    for (const row of stuck) this.#until.set(row, now + this.restMs);
  }

  /** A statement about these rows waited for a lock in vain. */
  add(parameters: readonly unknown[]): void {
    for (const row of rowsIn(parameters)) this.#until.set(row, performance.now() + this.restMs);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= MAX_REMEMBERED) return;
      this.#until.delete(oldest);
    }
  }

  /** A statement about these rows went through. */
  remove(sql: string, parameters: readonly unknown[]): void {
    if (this.#until.size > 0 && LOCKS.test(sql)) for (const row of rowsIn(parameters)) this.#until.delete(row);
  }
}

function rowsIn(parameters: readonly unknown[]): readonly string[] {
  return parameters.filter((value): value is string => typeof value === 'string' && NAMES_A_ROW.test(value));
}
