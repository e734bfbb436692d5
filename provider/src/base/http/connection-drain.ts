import type { ServerResponse } from 'node:http';
import { setImmediate as eventsHandled, setTimeout as sleep } from 'node:timers/promises';

/** If no request comes for this long, it is assumed that nobody sends requests any more. */
const QUIET_MS = 1_000;
/** The longest wait for that, because clients without a load balancer never stop. */
const LONGEST_MS = 3_000;

/**
 * The two phases before the server stops. First it drains: it still answers every request, but `/readyz` fails and every answer closes its
 * connection, so that load balancers and clients move to another process. Then it closes: it accepts connections until no more requests
 * come, because the system resets connections that the server has not accepted when it stops listening.
 */
export class ConnectionDrain {
  private readonly open = new Set<ServerResponse>();
  private underWay = 0;
  private isDraining = false;
  private isClosing = false;
  private lastArrival = 0;

  constructor(
    private readonly quietMs = QUIET_MS,
    private readonly longestMs = LONGEST_MS,
  ) {}

  get active(): boolean {
    return this.isDraining;
  }

  /** The number of requests without a complete reply, including health checks. */
  get inProgress(): number {
    return this.underWay;
  }

  /** Whether the server will stop listening as soon as no more requests come. */
  get closing(): boolean {
    return this.isClosing;
  }

  begin(): void {
    this.isDraining = true;
    for (const response of this.open) response.shouldKeepAlive = false;
    this.open.clear();
  }

  /** Makes the response close its connection if the server drains before the response is sent. */
  follow(response: ServerResponse): void {
    this.underWay += 1;
    response.once('close', () => (this.underWay -= 1));
    if (this.isDraining) {
      response.shouldKeepAlive = false;
      return;
    }
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
  }

  /** Counts a request that is not a health check. */
  arrived(): void {
    this.lastArrival = performance.now();
  }

  /** Resolves when no request has come for a second, after three seconds at the latest, or with the signal. */
  async untilQuiet(hurry: AbortSignal): Promise<void> {
    this.isClosing = true;
    const began = performance.now();
    for (;;) {
      const end = Math.min(Math.max(this.lastArrival, began) + this.quietMs, began + this.longestMs);
      const rest = end - performance.now();
      if (rest <= 0 || hurry.aborted) return;
      await sleep(rest, undefined, { signal: hurry }).catch(() => undefined);
      // If the process got no CPU time, there may be requests that it has not read yet.
      await eventsHandled();
    }
  }
}
