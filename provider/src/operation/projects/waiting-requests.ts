/** No server was available in time. */
export class NoServer extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('no server in time');
  }
}

interface Waiter<T> {
  readonly until: number;
  readonly resolve: (lease: T | null) => void;
  readonly reject: (error: NoServer) => void;
}

/** Requests that wait for their project's server, each for a limited time. */
export class WaitingRequests<T> {
  private readonly waiters = new Set<Waiter<T>>();

  /** @param settled called with the outcome of each wait */
  constructor(private readonly settled: (outcome: 'served' | 'refused') => void) {}

  get size(): number {
    return this.waiters.size;
  }

  /** Rejects with `NoServer` after this time. Null if it must wait elsewhere. */
  wait(milliseconds: number): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const until = performance.now() + milliseconds;
      const late = setTimeout(() => this.end(waiter, () => reject(new NoServer(1)), 'refused'), milliseconds);
      const waiter: Waiter<T> = {
        until,
        resolve: (lease) => this.end(waiter, () => resolve(lease), lease === null ? null : 'served', late),
        reject: (error) => this.end(waiter, () => reject(error), 'refused', late),
      };
      this.waiters.add(waiter);
    });
  }

  /** Gives each of them what `make` returns, until that is null. */
  serve(make: () => T | null): void {
    for (const waiter of this.waiters) {
      const lease = make();
      if (lease === null) return;
      waiter.resolve(lease);
    }
  }

  /** Gives all of them null, so that they wait elsewhere. */
  sendAway(): void {
    for (const waiter of this.waiters) waiter.resolve(null);
  }

  /** Refuses all of them, or those that cannot wait until then. */
  refuse(retryAfterSeconds: number, then = Infinity): void {
    for (const waiter of this.waiters) if (waiter.until < then) waiter.reject(new NoServer(retryAfterSeconds));
  }

  private end(waiter: Waiter<T>, tell: () => void, outcome: 'served' | 'refused' | null, late?: NodeJS.Timeout): void {
    clearTimeout(late);
    if (!this.waiters.delete(waiter)) return;
    if (outcome !== null) this.settled(outcome);
    tell();
  }
}
