import { writeSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { freeBytes } from '../../free-space.ts';

/** Room for two of the 16 MB files of the write-ahead log, because the engine does not survive if it cannot create one. */
const RESERVE_BYTES = 32 * 1024 * 1024;

/** False if the system does not report it. */
export function isNearlyFull(folder: string): boolean {
  const free = freeBytes(folder);
  return free !== null && free < RESERVE_BYTES;
}

/** The status of PGlite's exception for a failed statement, which PGlite itself handles. */
const ERROR_OF_STATEMENT = 100;

/**
 * Ends the process when the engine has ended. PGlite does not notice that: it calls the dead engine again and again in a loop that blocks
 * the process. Acknowledged writes are in the write-ahead log, and the next start recovers them.
 */
export function endWhenBroken(pglite: PGlite, folder: string): void {
  const engine = pglite.Module as unknown as { _PostgresMainLoopOnce: () => unknown };
  const once = engine._PostgresMainLoopOnce;
  engine._PostgresMainLoopOnce = () => {
    try {
      return once();
    } catch (error) {
      if ((error as { readonly status?: unknown } | null)?.status === ERROR_OF_STATEMENT) throw error;
      const why = isNearlyFull(folder)
        ? `the disk is full: make room, and start it again.`
        : `its files may be damaged: start it again, or restore a backup.`;
      say(`The database in ${folder} has stopped, because ${why}`);
      process.exit(1);
    }
  };
}

/** Written synchronously, because the process may end before a stream is flushed. */
export function say(sentence: string): void {
  writeSync(2, `${sentence}\n`);
}
