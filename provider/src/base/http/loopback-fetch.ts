import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';

interface LoopbackRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

const agent = new Agent();

/**
 * A `fetch` to a server of this machine. Node's own `fetch` may use a proxy from the environment (`NODE_USE_ENV_PROXY`). The proxy would
 * get the secret of the request, and for it this address is another machine.
 */
export function loopbackFetch(url: string, { method = 'GET', headers = {}, body, signal }: LoopbackRequest = {}) {
  return new Promise<Response>((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent, ...(signal && { signal }) });
    outgoing.once('response', (incoming) => {
      const { statusCode: status = 500 } = incoming;
      // Fetch standard, section 2.2.3.
      const isEmpty = [204, 205, 304].includes(status);
      if (isEmpty) incoming.resume();
      resolve(new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>), { status }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
