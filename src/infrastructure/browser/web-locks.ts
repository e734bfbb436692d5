import type { ClockPort, LockPort } from '../../application/ports/index.ts';
import { withTimeout } from '../../application/ports/with-timeout.ts';

/** The part of the Web Locks API that is used: `navigator.locks`. */
export interface LockRequests {
  request(name: string, options: { readonly signal: AbortSignal }, task: () => Promise<unknown>): Promise<unknown>;
}

/** By then a tab reads what the one before it wrote to storage when it began. */
const TURN_MS = 1_000;

/**
 * Web Locks, shared by the tabs of an origin. The task runs exactly once, whether the request is granted, refused, timed out or
 * stolen. Tabs whose patience ends at the same moment, because the holder is frozen, take turns by a second lock.
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
    // A request can be refused (an opaque origin, a page being closed), and it rejects when the task does, which `once` repeats.
    await withTimeout(this.clock, patienceMs, () => this.locks.request(name, { signal: abort.signal }, once));
    abort.abort();
    return running || isTurn ? once() : this.run(`${name}+`, TURN_MS, once, true);
  }
}
