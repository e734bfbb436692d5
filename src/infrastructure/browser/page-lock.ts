import type { ClockPort, LockPort } from '#application/ports/index.ts';
import { withTimeout } from '#application/ports/with-timeout.ts';

/** A lock within this page, with one queue per name: for browsers without Web Locks, and pages that may not use them. */
export class PageLock implements LockPort {
  /** By name: a promise that settles when all queued tasks are done. */
  private readonly tails = new Map<string, Promise<unknown>>();

  constructor(private readonly clock: ClockPort) {}

  async run<T>(name: string, patienceMs: number, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(name);
    let done = (): void => undefined;
    const own = new Promise<void>((resolve) => {
      done = resolve;
    });
    const tail = Promise.all([before, own]);
    this.tails.set(name, tail);
    void this.forget(name, tail);
    try {
      if (before !== undefined) await withTimeout(this.clock, patienceMs, () => before);
      return await task();
    } finally {
      done();
    }
  }

  private async forget(name: string, tail: Promise<unknown>): Promise<void> {
    await tail;
    if (this.tails.get(name) === tail) this.tails.delete(name);
  }
}
