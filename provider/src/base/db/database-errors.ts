/** The SQLSTATE of a database error, or the code of a system error; empty for anything else. */
export function sqlState(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Whether a row that the statement references was removed after it was read. */
export const isReferenceGone = (error: unknown): boolean => sqlState(error) === '23503';

/** The database was not reached, or did not answer in time. The same request may succeed later. */
export class DatabaseUnavailable extends Error {}

/**
 * SQLSTATEs that depend on the moment and not on the request (PostgreSQL, appendix A). Connection exceptions, insufficient resources,
 * operator intervention (a cancelled or timed-out statement, a server that stops or starts) and system errors are whole classes.
 */
const TEMPORARY_CLASSES = /^(?:08|53|57|58)[0-9A-Z]{3}$/u;
const TEMPORARY_STATES: ReadonlySet<string> = new Set([
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '25006', // read only: the other side of a failover
  '40001', // serialization failure, after every retry
  '40P01', // deadlock, after every retry
  '55P03', // lock_timeout
  '55006', // object in use
]);
/** Node's codes of failed system calls: ECONNRESET, EPIPE, ETIMEDOUT, EAI_AGAIN, ENOSPC and so on, but not ERR_*. */
const SYSTEM_ERROR = /^E(?!RR_)[A-Z][A-Z0-9_]+$/u;
/** Driver errors without a code. They are recognized by their text. */
const WITHOUT_CODE =
  /^(?:Connection terminated|Query read timeout|timeout e|Client has encountered a connection error|Client was closed|Cannot use a pool|driver has already been destroyed|Postgres connection has been discarded|PGlite is clos|PGlite instance is already closed)/iu;

/** Whether an error means that the database is away, full, stuck or shutting down. Such errors are answered 503, never 500 or 401. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = sqlState(error);
  if (code !== '') return TEMPORARY_CLASSES.test(code) || TEMPORARY_STATES.has(code) || SYSTEM_ERROR.test(code);
  return error instanceof Error && WITHOUT_CODE.test(error.message);
}
