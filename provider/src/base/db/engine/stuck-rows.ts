import { DatabaseUnavailable } from '../database-errors.ts';

const LOCKS = /^(?:insert|update|delete|with)\b|\bfor (?:no key )?(?:update|share)\b/iu;
/** A parameter that is the id of a row. */
const IS_ID = /^(?:user|session|email|phone-number|password|totp)-[\w-]{20,}$/u;
/** A parameter that identifies a row if a statement has no id: a hash, or a bucket of the limits. */
const IS_KEY = /^(?:[\w-]{43}|[\w-]+:[\w.:@+-]+)$/u;
/** Whether a statement can have to wait for a row. */
export function canWait(sql: string): boolean {
  return LOCKS.test(sql);
}

/** The maximum number of remembered rows. */
const MAX_REMEMBERED = 1000;

/**
 * Remembers rows whose lock a statement waited for in vain. For a moment only one statement may wait for such a row, so that requests about
 * one stuck row do not occupy every connection.
 */
export class StuckRows {
  /** When a row may be tried again, by `performance.now()`. */
  private readonly until = new Map<string, number>();

  constructor(private readonly restMs: number) {}

  /** Rejects a statement if another one is already waiting for the same row. */
  check(sql: string, parameters: readonly unknown[]): void {
    if (this.until.size === 0 || !canWait(sql)) return;
    const now = performance.now();
    const stuck = rowsIn(parameters).filter((row) => this.until.has(row));
    if (stuck.some((row) => (this.until.get(row) ?? 0) > now)) {
      throw new DatabaseUnavailable('The row is locked, and another statement already waits for it.');
    }
    // This statement tests the rows.
    for (const row of stuck) this.until.set(row, now + this.restMs);
  }

  /** Call it when a statement about these rows timed out waiting for a lock. */
  add(parameters: readonly unknown[]): void {
    for (const row of rowsIn(parameters)) this.until.set(row, performance.now() + this.restMs);
    for (const oldest of this.until.keys()) {
      if (this.until.size <= MAX_REMEMBERED) return;
      this.until.delete(oldest);
    }
  }

  /** Call it when a statement about these rows succeeded. */
  remove(sql: string, parameters: readonly unknown[]): void {
    if (this.until.size > 0 && canWait(sql)) for (const row of rowsIn(parameters)) this.until.delete(row);
  }
}

/** The rows that a statement may wait for: their ids, or hashes of something that rows share, such as a network. */
function rowsIn(parameters: readonly unknown[]): readonly string[] {
  const texts = parameters.filter((value) => typeof value === 'string');
  const ids = texts.filter((value) => IS_ID.test(value));
  return ids.length > 0 ? ids : texts.filter((value) => IS_KEY.test(value));
}
