import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fields } from './harness.ts';

interface ReceivedBatch {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly events: readonly Fields[];
}

export const accepts = (response: ServerResponse): void => void response.writeHead(204).end();

export type AuditCollector = Awaited<ReturnType<typeof startCollector>>;

/** A program that receives the audit log. `answer` is what it does with each batch. */
export async function startCollector() {
  const batches: ReceivedBatch[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    collector.mostAtOnce = Math.max(collector.mostAtOnce, open);
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const batch = { id: headers['webhook-id'] ?? '', headers, body, events: JSON.parse(body) as Fields[] };
      batches.push(batch);
      collector.answer(response);
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`,
    batches,
    answer: accepts,
    /** The most requests that were open at the same time. */
    mostAtOnce: 0,
    reset() {
      batches.length = 0;
      collector.answer = accepts;
      collector.mostAtOnce = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => void server.close(closed));
    },
  };
  return collector;
}

/** The events of the batches, each batch once. */
export function eventsOf(batches: readonly ReceivedBatch[]): readonly Fields[] {
  return [...new Map(batches.map((batch) => [batch.id, batch])).values()].flatMap(({ events }) => events);
}

/** How many events do not follow the one before, as far as the reader can see. */
export function holesIn(events: readonly Fields[], start: number | null): number {
  let last = start;
  return events.filter(({ metadata, unmapped }) => {
    const follows = unmapped.previous === last;
    last = metadata.sequence as number;
    return !follows;
  }).length;
}
