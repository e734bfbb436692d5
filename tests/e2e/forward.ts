import type { Route } from '@playwright/test';

/** A server's reply, in the shape of `route.fulfill`. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Headers that describe the connection, or a body that `fetch` has decoded. */
const OF_CONNECTION = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

export function withoutConnection(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));
}

/**
 * Sends an intercepted request to its server, or to another one, and returns the reply. Playwright's own `route.fetch` asks the
 * name server for an IPv6 address of `localhost`, and waits five seconds whenever that question or its answer is lost.
 */
export async function fetchReply(
  route: Route,
  { url = route.request().url(), headers = {} }: { url?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const request = route.request();
  const reply = await fetch(url, {
    method: request.method(),
    headers: { ...withoutConnection(await request.allHeaders()), ...headers },
    body: request.postData(),
    redirect: 'manual',
  });
  const cookies = reply.headers.getSetCookie();
  return {
    status: reply.status,
    headers: {
      ...withoutConnection(Object.fromEntries(reply.headers)),
      // Playwright separates the values of one header by line breaks.
      ...(cookies.length > 0 ? { 'set-cookie': cookies.join('\n') } : {}),
    },
    body: await reply.text(),
  };
}
