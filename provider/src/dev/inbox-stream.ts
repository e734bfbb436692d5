import type { Services } from '#provider/api/services.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';
import { messagesAfter, recentMessages } from '#provider/messages/outbox/store.ts';

/** The interval of the heartbeat, which detects dead sockets. */
const HEARTBEAT_MS = 15_000;
/** How often messages of other processes are read. */
const LOOK_MS = 1_000;

/**
 * New messages as server-sent events named `message`. A reader that lost its connection gets the messages that it missed. Messages of this
 * process are sent immediately, those of other processes on the same database within seconds.
 */
export function inboxStream(
  { db, clock, inbox, report }: Pick<Services, 'db' | 'clock' | 'inbox' | 'report'>,
  lastEventId: string | undefined,
): ReadableStream<Uint8Array> {
  let stop = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const encoder = new TextEncoder();
      const messageIds = new Set<string>();
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      const send = (message: InboxMessage): void => {
        if (messageIds.has(message.id)) return;
        messageIds.add(message.id);
        write(`id: ${message.id}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);
      };
      const unsubscribe = inbox.subscribe(send, () => {
        stop();
        controller.close();
      });
      const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
      let open = true;
      stop = () => {
        open = false;
        clearInterval(heartbeat);
        unsubscribe();
      };
      const lookAgain = (): void => {
        const timer = setTimeout(() => void look(), LOOK_MS);
        timer.unref();
      };
      const look = async (): Promise<void> => {
        // While the database is away, nothing can be posted either.
        const recent = open ? await recentMessages({ db, clock }).catch(() => []) : [];
        if (!open) return;
        recent.forEach(send);
        lookAgain();
      };
      write('retry: 1000\n\n');
      try {
        const missed = lastEventId === undefined ? [] : await messagesAfter(db, lastEventId);
        if (open) missed.forEach(send);
        // Messages from before the stream began are not new.
        for (const { id } of await recentMessages({ db, clock })) messageIds.add(id);
        lookAgain();
      } catch (error) {
        // The reader reconnects. A rejected stream would be printed without a filter, and the stream can no longer be written to.
        report(error, { where: 'GET /dev/inbox/stream' });
        if (!open) return;
        stop();
        controller.close();
      }
    },
    cancel() {
      stop();
    },
  });
}
