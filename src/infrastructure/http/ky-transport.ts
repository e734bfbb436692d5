import ky from 'ky';
import type { HttpRequest, HttpResponse, TransportPort } from '../../application/ports/index.ts';

/** Long enough for a bad mobile network; a server that takes longer gave no answer. */
const TIMEOUT_MS = 60_000;

/** What has `fetch`: the window, or `{ fetch }` of a host's own. */
export interface FetchScope {
  readonly fetch: (input: Request, init?: RequestInit) => Promise<Response>;
}

/** HTTP through ky, which adds a time-out that covers the whole answer, its body included. */
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
        // Looked up late, so that what a host puts in its place is used; called bare, for `fetch` minds its receiver.
        const { fetch } = this.scope;
        const response = await fetch(request as Request, init);
        text = await response.text();
        return response;
      },
    });
    return { status, headers: Object.fromEntries(answered), text };
  }
}
