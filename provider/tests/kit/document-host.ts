import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on loopback that publishes metadata documents of agents. */
export interface DocumentHost {
  readonly origin: string;
  /** How often a document was read. */
  readonly reads: () => number;
  /** How often anything has connected, also without a request. */
  readonly connections: () => number;
  /** Publishes a document at the path, and returns its address, which is the client id. */
  publish(path: string, metadata?: object): string;
  /** Answers the path by itself, and returns its address. */
  answer(path: string, by: RequestListener): string;
  close(): Promise<void>;
}

export const AGENT_CALLBACK = 'http://127.0.0.1/callback';

export async function documentHost(): Promise<DocumentHost> {
  const answers = new Map<string, RequestListener>();
  let reads = 0;
  const server = createServer((request, response) => {
    reads += 1;
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const answer = (path: string, by: RequestListener): string => {
    answers.set(path, by);
    return `${origin}${path}`;
  };
  return {
    origin,
    reads: () => reads,
    connections: () => connections,
    answer,
    publish(path, metadata = {}) {
      const document = {
        client_id: `${origin}${path}`,
        client_name: 'An agent',
        redirect_uris: [AGENT_CALLBACK],
        ...metadata,
      };
      return answer(path, (_, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document)),
      );
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
