import type { Services } from '../services.ts';
import type { InboxMessage } from '../outbox/inbox-hub.ts';
import { messagesAfter } from '../outbox/store.ts';

/** The interval of a heartbeat, which detects dead sockets. */
const HEARTBEAT_MS = 15_000;

/** New messages as server-sent events named `message`; a reader that lost its connection gets the messages that it missed. */
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
        // The reader reconnects. A rejected stream would be printed unfiltered, and the stream can no longer be written to.
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
