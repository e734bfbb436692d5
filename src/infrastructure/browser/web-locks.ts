import type { ClockPort, LockPort } from '../../application/ports/index.ts';

/** The part of the Web Locks API that is used: `navigator.locks`. */
export interface LockRequests {
  request(name: string, options: { readonly signal: AbortSignal }, task: () => Promise<unknown>): Promise<unknown>;
}

/**
 * Web Locks, shared by the tabs of an origin. However a request ends (granted, refused, given up, stolen), the task
 * runs exactly once.
 */
export class WebLocks implements LockPort {
  constructor(
    private readonly locks: LockRequests,
    private readonly clock: ClockPort,
  ) {}

  async run<T>(name: string, patienceMs: number, task: () => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let stop = (): void => undefined;
    let running: Promise<T> | undefined;
    const once = (): Promise<T> => {
      stop();
      return (running ??= (async () => task())());
    };
    const expired = new Promise<void>((resolve) => {
      stop = this.clock.after(patienceMs, () => {
        abort.abort();
        resolve();
      });
    });
    try {
      await Promise.race([this.locks.request(name, { signal: abort.signal }, once), expired]);
    } catch {
      // Refused (an opaque origin, a page going away), or the task's own rejection, which `once` repeats.
    }
    return once();
  }
}
