import type { ClockPort, LockPort } from '#application/ports/index.ts';
import { withTimeout } from '#application/ports/with-timeout.ts';

/** The part of the Web Locks API that is used: `navigator.locks`. */
export interface LockRequests {
  request(name: string, options: { readonly signal: AbortSignal }, task: () => Promise<unknown>): Promise<unknown>;
}

/** Enough time for a tab to read what the previous tab wrote to storage at its start. */
const TURN_MS = 1_000;

/**
 * Web Locks, shared by the tabs of an origin. The task runs exactly once, whether the request is granted, refused, timed out or stolen. If
 * the holder is frozen and several tabs time out at the same moment, they take turns by a second lock.
 */
export class WebLocks implements LockPort {
  constructor(
    private readonly locks: LockRequests,
    private readonly clock: ClockPort,
  ) {}

  async run<T>(name: string, patienceMs: number, task: () => Promise<T>, isTurn = false): Promise<T> {
    const abort = new AbortController();
    let running: Promise<T> | undefined;
    const once = (): Promise<T> => (running ??= (async () => task())());
    // A request can be refused (an opaque origin, a page being closed). It also rejects when the task does, and `once` passes that on.
    await withTimeout(this.clock, patienceMs, () => this.locks.request(name, { signal: abort.signal }, once));
    abort.abort();
    return running || isTurn ? once() : this.run(`${name}+`, TURN_MS, once, true);
  }
}
