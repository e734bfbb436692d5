import type { ClockPort, HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';
import { TIMEOUT_MS } from '../http/timed-fetch.ts';

/** The part of a response that is read. React Native's headers cannot be iterated otherwise. */
interface PlainResponse {
  readonly status: number;
  /** The address after redirects; empty or absent if it is unknown. */
  readonly url?: string;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  text(): Promise<string>;
}

/** The global object with `fetch`. */
interface PlainFetchScope {
  readonly fetch: (url: string, init: RequestInit) => Promise<PlainResponse>;
}

/** Any `fetch`, also React Native's, without the cookies that the system would store. Requests are sent once. */
export class PlainFetch implements TransportPort {
  constructor(
    private readonly scope: PlainFetchScope,
    private readonly clock: Pick<ClockPort, 'after'>,
  ) {}

  async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
    const abort = new AbortController();
    const onAbort = (): void => abort.abort();
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort);
    const stop = this.clock.after(TIMEOUT_MS, onAbort);
    try {
      const { fetch } = this.scope;
      const reply = await fetch(url, { method, headers, body, signal: abort.signal, credentials: 'omit' });
      // React Native follows redirects; this API sends none.
      const { url: from = '' } = reply;
      if (from !== '' && from !== url) throw new Error('the server redirects');
      const received: Record<string, string> = {};
      reply.headers.forEach((value, name) => {
        received[name.toLowerCase()] = value;
      });
      return { status: reply.status, headers: received, text: await reply.text() };
    } finally {
      stop();
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
