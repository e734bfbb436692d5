import { DatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import type { Services } from '#provider/api/services.ts';
import { dump } from './dump.ts';
import { lineOf } from './format.ts';

/** The longest pause of the reader, because other requests wait for the backup to end. */
const PAUSE_MS = 10_000;

/** The last line. If it is missing, the database was not read completely. */
export const COMPLETE = { complete: true };

/** The database as lines of JSON, for a backup command that runs while the server does. */
export function dumpStream({ db, report }: Pick<Services, 'db' | 'report'>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const write = async (content: unknown): Promise<void> => {
    await withinPause(writer.ready);
    // If the stream fails before it is ready for more, the next line notices that.
    writer.write(encoder.encode(lineOf(content))).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    try {
      await dump(db, write);
      await write(COMPLETE);
      await writer.close();
    } catch (error) {
      report(error, { where: 'backup' });
      await writer.abort().catch(() => undefined);
    }
  };
  void run();
  return readable;
}

async function withinPause(ready: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable('The reader of the backup paused.')), PAUSE_MS);
  });
  try {
    await Promise.race([ready, late]);
  } finally {
    clearTimeout(timer);
  }
}
