/** A way to the provider that counts the refreshes of sessions, and can hold their requests. */
import { request as send, type ServerResponse } from 'node:http';
import { serve } from '../../scripts/lib/net.ts';

export interface RefreshCounter {
  readonly url: string;
  /** Requests since the last `hold`, those that have not ended, and the most that were open at once. */
  readonly counts: { asked: number; open: number; most: number };
  /** Starts to count anew, and keeps the requests that come until `release`. */
  hold(): void;
  release(): void;
  /** Ends the connections of all requests that are open, as a network that is lost. */
  cut(): void;
  close(): Promise<void>;
}

export async function countRefreshes(providerUrl: string): Promise<RefreshCounter> {
  const { host } = new URL(providerUrl);
  const counts = { asked: 0, open: 0, most: 0 };
  const replies = new Set<ServerResponse>();
  let held = Promise.resolve();
  let release = (): void => undefined;
  const server = await serve((request, response) => {
    const isRefresh = request.method === 'POST' && request.url?.endsWith('/sdk/v1/sessions/authenticate') === true;
    if (isRefresh) {
      counts.asked += 1;
      counts.open += 1;
      counts.most = Math.max(counts.most, counts.open);
      replies.add(response);
      response.once('close', () => {
        counts.open -= 1;
        replies.delete(response);
      });
    }
    const pass = (): void => {
      if (response.destroyed) return;
      const { method = 'GET', url = '/' } = request;
      const onward = send(`${providerUrl}${url}`, { method, headers: { ...request.headers, host } }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      onward.once('error', () => response.destroy());
      request.pipe(onward);
    };
    if (isRefresh) void held.then(pass);
    else pass();
  }, 0);
  return {
    url: server.url,
    counts,
    hold() {
      Object.assign(counts, { asked: 0, most: counts.open });
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    cut: () => replies.forEach((response) => response.destroy()),
    close: server.close,
  };
}
