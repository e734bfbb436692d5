import type { ClockPort, HttpRequest, HttpResponse, TransportPort } from '../../application/ports/index.ts';
import { boundedText } from './bounded-text.ts';

/** The part of `fetch` that a server's requests need. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface FetchLimits {
  /** The time limit for the whole response, including its body. */
  readonly timeoutMs: number;
  /** The maximum length of a body; a longer one rejects. */
  readonly maxBytes: number;
}

/** The platform's `fetch`, with limits. It uses no options that edge runtimes lack, such as cookies and cache modes. */
export class FetchTransport implements TransportPort {
  constructor(
    private readonly fetch: Fetch,
    private readonly clock: ClockPort,
    private readonly limits: FetchLimits,
  ) {}

  async send({ signal, ...request }: HttpRequest): Promise<HttpResponse> {
    signal?.throwIfAborted();
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const { timeoutMs } = this.limits;
    const stop = this.clock.after(timeoutMs, () =>
      abort.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
    );
    // A host's `fetch` may ignore the signal.
    const aborted = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error), { once: true });
    });
    try {
      return await Promise.race([this.answer(request, abort.signal), aborted]);
    } finally {
      stop();
      signal?.removeEventListener('abort', onAbort);
      // Cancels a response that was not read to its end.
      abort.abort();
    }
  }

  private async answer(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const { method, url, headers, body, keepalive = false } = request;
    const init: RequestInit = { method, headers, body, signal, redirect: 'manual' };
    const response = await this.fetch(url, keepalive ? { ...init, keepalive } : init);
    const { status, type } = response;
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw new Error('the server redirects');
    return { status, headers: Object.fromEntries(response.headers), text: await this.textOf(response) };
  }

  private async textOf({ body }: Response): Promise<string> {
    const text = await boundedText(body, this.limits.maxBytes);
    if (text === null) throw new Error(`the answer is longer than ${this.limits.maxBytes} bytes`);
    return text;
  }
}
