import ky, { HTTPError, type Options } from 'ky';
import { retryAfterMs } from '#domain/retry-after.ts';
import type { HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';
import { bare, TIMEOUT_MS, type FetchScope } from './timed-fetch.ts';

/** The longest wait before a retry. If `Retry-After` is longer, the user sees the error immediately, with the time of the next attempt. */
const LONGEST_WAIT_MS = 5_000;

/** Retries of safe requests (RFC 9110, section 9.2.1): without a response, or if the server is busy, one is sent up to three times. */
const SAFE_RETRIES = {
  limit: 2,
  methods: ['get'],
  statusCodes: [429, 502, 503, 504],
  afterStatusCodes: [429, 503],
  shouldRetry: ({ error }) =>
    error instanceof HTTPError && (retryAfterMs(headersOf(error.response)) ?? 0) > LONGEST_WAIT_MS ? false : undefined,
} satisfies Options['retry'];

const headersOf = ({ headers }: Response): Readonly<Record<string, string>> => Object.fromEntries(headers);

/**
 * HTTP in a browser, through ky: a time limit for the whole reply with its body, and repeats of safe requests that honour `Retry-After`.
 * Requests with their own retry plan (the session, the project's settings, the events) set `once`.
 *
 * `StartTransport` sends a page's first requests, because ky would make the script of a page without interaction larger by a tenth. A
 * server verifies sessions with `FetchTransport`, which limits the bytes of a reply and runs where ky does not.
 */
export class KyTransport implements TransportPort {
  constructor(private readonly scope: FetchScope) {}

  async send({
    method,
    url,
    headers,
    body,
    signal,
    keepalive = false,
    once = false,
  }: HttpRequest): Promise<HttpResponse> {
    let text = '';
    const options: Options = {
      method,
      headers,
      body,
      signal,
      retry: once ? 0 : SAFE_RETRIES,
      timeout: TIMEOUT_MS,
      credentials: 'include',
      redirect: 'error',
      cache: 'no-store',
      keepalive,
      hooks: { beforeRequest: [(request) => keepOnly(headers, request)] },
      fetch: async (request, init) => {
        // Read on each call, so that a replacement by the host is used. Called without a receiver, as `fetch` requires.
        const { fetch } = this.scope;
        const response = await fetch(request as Request, bare(init));
        text = await response.text();
        return response;
      },
    };
    const response = await ky(url, options).catch((error: unknown) => {
      if (error instanceof HTTPError) return error.response;
      throw error;
    });
    return { status: response.status, headers: headersOf(response), text };
  }
}

/** Removes headers that the page added to `Object.prototype`: ky also reads inherited options. */
function keepOnly(requestHeaders: HttpRequest['headers'], { headers }: Request): void {
  const own = new Headers(Object.entries(requestHeaders));
  const foreign = [...headers.keys()].filter((name) => !own.has(name) && name !== 'content-type');
  for (const name of foreign) headers.delete(name);
}
