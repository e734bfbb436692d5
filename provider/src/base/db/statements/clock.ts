import { sql } from 'kysely';
import type { Clock } from '../../platform.ts';
import type { Db } from '../database.ts';

const READ_EVERY_MS = 30_000;
/** Answers that take longer are too inaccurate. */
const MAX_ROUND_TRIP_MS = 2_000;
/** If the monotonic clock and the wall clock differ by more than this, the process slept or the wall clock was set. */
const APART_MS = 2_000;

export interface DatabaseClock extends Clock {
  /** Reads the database's time again; rejects if the database does not answer. */
  read(): Promise<void>;
  stop(): void;
}

/**
 * The database's time, so that all processes on it agree even if their own clocks are wrong or jump. A token issued by one process is valid
 * in the others, and no process rejects a valid token as expired. Between two readings the monotonic clock is used.
 */
export async function databaseClock(db: Db): Promise<DatabaseClock> {
  /** The database's time minus `performance.now()`, and the wall clock's. */
  let ahead = 0;
  let wallAhead = 0;
  let reading: Promise<void> | null = null;

  const ask = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      const before = performance.now();
      const { rows } = await sql<{ now: Date }>`select pg_catalog.clock_timestamp() as now`.execute(db);
      const after = performance.now();
      const [row] = rows;
      if (row === undefined) throw new Error('the database returned no time');
      if (after - before > MAX_ROUND_TRIP_MS && attempt < 3) continue;
      ahead = new Date(row.now).getTime() - (before + after) / 2;
      wallAhead = Date.now() - after;
      return;
    }
  };
  const read = (): Promise<void> => {
    reading ??= ask().finally(() => (reading = null));
    return reading;
  };

  await read();
  // After a failed reading the previous one is used. It stays accurate for hours.
  const timer = setInterval(() => void read().catch(() => undefined), READ_EVERY_MS);
  timer.unref();
  return {
    now() {
      const watch = performance.now();
      if (Math.abs(Date.now() - watch - wallAhead) > APART_MS && reading === null) {
        wallAhead = Date.now() - watch;
        void read().catch(() => undefined);
      }
      return Math.round(watch + ahead);
    },
    read,
    stop: () => clearInterval(timer),
  };
}
