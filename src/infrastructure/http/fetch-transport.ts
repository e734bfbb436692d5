import type { ClockPort, HttpRequest, HttpResponse, TransportPort } from '../../application/ports/index.ts';

/** The part of `fetch` that a server's requests need. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface FetchLimits {
  /** For the whole response, its body included. */
  readonly timeoutMs: number;
  /** A longer body rejects. */
  readonly maxBytes: number;
}

/** The platform's `fetch`, with limits. It names nothing that runtimes at the edge lack: no cookies, no cache. */
export class FetchTransport implements TransportPort {
  constructor(
    private readonly fetch: Fetch,
    private readonly clock: ClockPort,
    private readonly limits: FetchLimits,
  ) {}

  async send({ method, url, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
    signal?.throwIfAborted();
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const { timeoutMs } = this.limits;
    const stop = this.clock.after(timeoutMs, () => abort.abort(new Error(`no answer within ${timeoutMs} ms`)));
    try {
      const response = await this.fetch(url, { method, headers, body, signal: abort.signal, redirect: 'manual' });
      const { status, type } = response;
      if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw new Error('the server redirects');
      return { status, headers: Object.fromEntries(response.headers), text: await this.textOf(response) };
    } finally {
      stop();
      signal?.removeEventListener('abort', onAbort);
      // Ends what is left of a response that was not read to its end.
      abort.abort();
    }
  }

  private async textOf(response: Response): Promise<string> {
    if (response.body === null) return '';
    const decoder = new TextDecoder();
    let [text, bytes] = ['', 0];
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.length;
      if (bytes > this.limits.maxBytes) throw new Error(`the answer is longer than ${this.limits.maxBytes} bytes`);
      text += decoder.decode(part.value, { stream: true });
    }
    return text + decoder.decode();
  }
}
