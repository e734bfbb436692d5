import type { ClockPort, HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';
import { bare, TIMEOUT_MS, TimedFetch, type FetchScope } from './timed-fetch.ts';

/**
 * Sends the requests of a page's start through `fetch` alone, and all others through the transport that arrives later. It is not a `later`,
 * because no request may wait.
 */
export class StartTransport implements TransportPort {
  private transport: TransportPort;

  constructor(scope: FetchScope, clock: ClockPort) {
    const send = async (url: string, init: RequestInit): Promise<Response> => {
      // Read on each call, so that a replacement by the host is used. Called without a receiver, as `fetch` requires.
      const { fetch } = scope;
      return fetch(new Request(url, bare({ ...init, credentials: 'include', redirect: 'error', cache: 'no-store' })));
    };
    this.transport = new TimedFetch(send, clock, TIMEOUT_MS);
  }

  /** Passes every later request to another transport. */
  passTo(transport: TransportPort): void {
    this.transport = transport;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    return this.transport.send(request);
  }
}
