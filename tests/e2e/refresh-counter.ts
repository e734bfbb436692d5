/** A way to the provider that counts the refreshes of sessions, and can hold their requests. */
import { request as send, type ServerResponse } from 'node:http';
import { serve } from '#scripts/lib/net.ts';

/** Requests since the last `hold`, those that have not ended, and the most that were open at once. */
export interface RefreshCounts {
  asked: number;
  open: number;
  most: number;
}

export interface RefreshCounter {
  readonly url: string;
  /** Those of all pages. */
  readonly counts: RefreshCounts;
  /** Those of the pages of one origin. */
  of(origin: string): RefreshCounts;
  /** Starts to count anew, and keeps the requests that come until `release`. */
  hold(): void;
  release(): void;
  /** Ends the connections of all requests that are open, as a network that is lost. */
  cut(): void;
  close(): Promise<void>;
}

/** `apiHost` is the name that pages know the API by: a provider that sets cookies for a domain refuses other hosts. */
export async function countRefreshes(providerUrl: string, apiHost = 'localhost'): Promise<RefreshCounter> {
  const { host } = new URL(providerUrl.replace('localhost', apiHost));
  const counts: RefreshCounts = { asked: 0, open: 0, most: 0 };
  const byOrigin = new Map<string, RefreshCounts>();
  const of = (origin: string): RefreshCounts => {
    const own = byOrigin.get(origin) ?? { asked: 0, open: 0, most: 0 };
    byOrigin.set(origin, own);
    return own;
  };
  const replies = new Set<ServerResponse>();
  let held = Promise.resolve();
  let release = (): void => undefined;
  const server = await serve((request, response) => {
    const isRefresh = request.method === 'POST' && request.url?.endsWith('/sdk/v1/sessions/authenticate') === true;
    if (isRefresh) {
      const both = [counts, of(request.headers.origin ?? '')];
      for (const one of both) {
        one.asked += 1;
        one.open += 1;
        one.most = Math.max(one.most, one.open);
      }
      replies.add(response);
      response.once('close', () => {
        for (const one of both) one.open -= 1;
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
    url: server.url.replace('localhost', apiHost),
    counts,
    of,
    hold() {
      for (const one of [counts, ...byOrigin.values()]) Object.assign(one, { asked: 0, most: one.open });
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    cut: () => replies.forEach((response) => response.destroy()),
    close: server.close,
  };
}
