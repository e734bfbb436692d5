import type { ClockPort, LockPort } from '../../application/ports/index.ts';

/** The part of the Web Locks API that is used: `navigator.locks`. */
export interface LockRequests {
  request(name: string, options: { readonly signal: AbortSignal }, task: () => Promise<unknown>): Promise<unknown>;
}

/**
 * Web Locks, shared by the tabs of an origin. The task runs exactly once, whether the request is granted, refused, timed out or
 * stolen.
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
      // The request was refused (an opaque origin, a page being closed), or the task itself rejected, which `once` repeats.
    }
    return once();
  }
}
