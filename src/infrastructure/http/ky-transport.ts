import ky from 'ky';
import type { HttpRequest, HttpResponse, TransportPort } from '../../application/ports/index.ts';
import { bare, TIMEOUT_MS, type FetchScope } from './fetch-scope.ts';

/**
 * HTTP through ky, which adds a time limit for the whole reply, including its body.
 *
 * It repeats nothing, although ky can: what may be repeated, and when, is decided above the port by the refresher, the project's
 * upkeep and the event log, which honour `Retry-After` and take the time from the clock port. Repeats of ky would multiply with
 * theirs, and a transport that a host brings would have none.
 */
export class KyTransport implements TransportPort {
  constructor(private readonly scope: FetchScope) {}

  async send({ method, url, headers, body, signal, keepalive = false }: HttpRequest): Promise<HttpResponse> {
    let text = '';
    const { status, headers: answered } = await ky(url, {
      method,
      headers,
      body,
      signal,
      retry: 0,
      throwHttpErrors: false,
      timeout: TIMEOUT_MS,
      credentials: 'include',
      redirect: 'error',
      cache: 'no-store',
      keepalive,
      fetch: async (request, init) => {
        // Read on each call, so that a replacement by the host is used. Called without a receiver, as `fetch` requires.
        const { fetch } = this.scope;
        const response = await fetch(onlyWith(headers, request as Request), bare(init));
        text = await response.text();
        return response;
      },
    });
    return { status, headers: Object.fromEntries(answered), text };
  }
}

/** Removes headers that the page added to `Object.prototype`: ky also reads inherited options. */
function onlyWith(named: HttpRequest['headers'], request: Request): Request {
  const own = new Headers(Object.entries(named));
  const foreign = [...request.headers.keys()].filter((name) => !own.has(name) && name !== 'content-type');
  for (const name of foreign) request.headers.delete(name);
  return request;
}
