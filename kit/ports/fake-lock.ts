import type { ClockPort, LockPort } from '#application/ports/index.ts';
import { PageLock } from '#infrastructure/browser/page-lock.ts';

/** The locks of one browser: pass the same object to every tab. Time limits use the given clock. */
export class FakeLock implements LockPort {
  private readonly queue: PageLock;

  constructor(clock: ClockPort) {
    this.queue = new PageLock(clock);
  }

  async run<T>(name: string, patienceMs: number, task: () => Promise<T>): Promise<T> {
    return this.queue.run(name, patienceMs, task);
  }

  /** Holds the lock like a frozen tab until the returned function is called. */
  hold(name: string): () => void {
    let release = (): void => undefined;
    const frozen = new Promise<void>((resolve) => {
      release = resolve;
    });
    void this.queue.run(name, 0, async () => frozen);
    return release;
  }
}
