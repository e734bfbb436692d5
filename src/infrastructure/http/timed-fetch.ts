import type { ClockPort, HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';

/** The time limit of a request: long enough for a bad mobile network. */
export const TIMEOUT_MS = 60_000;

/** An object with `fetch`: the window, or a host's own `{ fetch }`. */
export interface FetchScope {
  readonly fetch: (input: Request, init?: RequestInit) => Promise<Response>;
}

/** The same options without a prototype, because `fetch` also reads inherited ones. */
export function bare(init: RequestInit | undefined): RequestInit {
  return Object.assign(Object.create(null) as RequestInit, init);
}

/** The part of a response that is read. */
export type Answer = Pick<Response, 'status' | 'headers' | 'text'>;

/** The part of `fetch` that a transport needs. */
type AnyFetch = (url: string, init: RequestInit) => Promise<Answer>;

/** The platform's `fetch`, with a time limit for the whole response, including its body. */
export class TimedFetch implements TransportPort {
  constructor(
    private readonly fetch: AnyFetch,
    private readonly clock: ClockPort,
    private readonly timeoutMs: number,
  ) {}

  async send({ signal, ...request }: HttpRequest): Promise<HttpResponse> {
    signal?.throwIfAborted();
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const stop = this.clock.after(this.timeoutMs, () =>
      abort.abort(new DOMException(`no answer within ${this.timeoutMs} ms`, 'TimeoutError')),
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

  private async answer(
    { method, url, headers, body, keepalive }: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const init: RequestInit = { method, headers, body, signal };
    const response = await this.fetch(url, keepalive ? { ...init, keepalive } : init);
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  }
}
