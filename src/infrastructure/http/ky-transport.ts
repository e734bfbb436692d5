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
        const response = await fetch(onlyWith(headers, request as Request), bare(init));
        text = await response.text();
        return response;
      },
    });
    return { status, headers: Object.fromEntries(answered), text };
  }
}

/** ky reads options through the prototype too: a header that a page added to every object is none of this request. */
function onlyWith(named: HttpRequest['headers'], request: Request): Request {
  const own = new Headers(Object.entries(named));
  const foreign = [...request.headers.keys()].filter((name) => !own.has(name) && name !== 'content-type');
  for (const name of foreign) request.headers.delete(name);
  return request;
}

/** The same options without a prototype, for `fetch` reads through it too. */
function bare(init: RequestInit | undefined): RequestInit {
  return Object.assign(Object.create(null) as RequestInit, init);
}
