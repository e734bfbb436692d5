import type { ServerResponse } from 'node:http';
import { setImmediate as eventsHandled, setTimeout as sleep } from 'node:timers/promises';

/** Without a request for this long, nothing sends requests any more. */
const QUIET_MS = 1_000;
/** The longest wait for such a time: clients without a balancer never stop. */
const LONGEST_MS = 3_000;

/**
 * Whether the server is about to stop. First it drains: it still answers every request, but `/readyz` fails and every answer closes its
 * connection, so that load balancers and clients move to another process before this one ends. Then it closes: it accepts connections
 * until no more requests come, because the system resets a connection that the server did not accept before it stopped listening.
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

  /** The number of requests without a complete reply, checks of health included. */
  get inProgress(): number {
    return this.underWay;
  }

  /** Whether the server stops listening as soon as no more requests come. */
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

  /** Counts a request that is no check of health. */
  arrived(): void {
    this.lastArrival = performance.now();
  }

  /** Resolves when no request came for a second, at the latest after three seconds or with the signal. */
  async untilQuiet(hurry: AbortSignal): Promise<void> {
    this.isClosing = true;
    const began = performance.now();
    for (;;) {
      const end = Math.min(Math.max(this.lastArrival, began) + this.quietMs, began + this.longestMs);
      const rest = end - performance.now();
      if (rest <= 0 || hurry.aborted) return;
      await sleep(rest, undefined, { signal: hurry }).catch(() => undefined);
      // In a process that got no time, requests may have come that were not read yet.
      await eventsHandled();
    }
  }
}
