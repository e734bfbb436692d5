import type { PGlite } from '@electric-sql/pglite';

const code = (letter: string): number => letter.codePointAt(0) ?? 0;
/**
 * The frontend messages that the database answers immediately: Sync, Flush and Query (PostgreSQL's protocol, version 3), and the ends of a
 * copy.
 */
const ANSWERED: ReadonlySet<number> = new Set(['S', 'H', 'Q', 'c', 'f'].map(code));

/**
 * The embedded database for a driver that sends single messages. Messages are held back until one requires an answer, and then passed on
 * together: a prepared statement enters WebAssembly once instead of four times.
 */
export function batchingMessages(pglite: PGlite): PGlite {
  let queue: Uint8Array[] = [];
  const execProtocolStream: PGlite['execProtocolStream'] = async (message, options) => {
    queue.push(message);
    if (!ANSWERED.has(message[0] ?? 0)) return [];
    const batch = queue.length === 1 ? message : Buffer.concat(queue);
    queue = [];
    return pglite.execProtocolStream(batch, options);
  };
  return Object.create(pglite, {
    execProtocolStream: { value: execProtocolStream },
    waitReady: { value: pglite.waitReady },
  });
}
