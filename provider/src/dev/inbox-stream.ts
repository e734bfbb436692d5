import type { Services } from '../services.ts';
import type { InboxMessage } from '../outbox/inbox-hub.ts';
import { messagesAfter } from '../outbox/store.ts';

/** Keeps proxies and dead sockets from going unnoticed. */
const HEARTBEAT_MS = 15_000;

/** New messages as server-sent events named `message`; a reader that lost its connection gets what it missed. */
export function inboxStream(
  { db, inbox, report }: Pick<Services, 'db' | 'inbox' | 'report'>,
  lastEventId: string | undefined,
): ReadableStream<Uint8Array> {
  let stop = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const encoder = new TextEncoder();
      const seen = new Set<string>();
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      const send = (message: InboxMessage): void => {
        if (seen.has(message.id)) return;
        seen.add(message.id);
        write(`id: ${message.id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);
      };
      const unsubscribe = inbox.subscribe(send, () => {
        stop();
        controller.close();
      });
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
      stop = () => {
        clearInterval(heartbeat);
        unsubscribe();
      };
      write('retry: 1000\n\n');
      if (lastEventId === undefined) return;
      try {
        const missed = await messagesAfter(db, lastEventId);
        missed.forEach(send);
      } catch (error) {
        // The reader asks again; what a stream rejects with would be printed as it is, and nothing may be written into it.
        report(error, { where: 'GET /dev/inbox/stream' });
        stop();
        controller.close();
      }
    },
    cancel() {
      stop();
    },
  });
}
