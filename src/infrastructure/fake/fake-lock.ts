import type { ClockPort, LockPort } from '../../application/ports/index.ts';
import { PageLock } from '../browser/page-lock.ts';

/** The locks of one browser: give the same one to every tab. Patience runs by the clock given. */
export class FakeLock implements LockPort {
  private readonly queue: PageLock;

  constructor(clock: ClockPort) {
    this.queue = new PageLock(clock);
  }

  async run<T>(name: string, patienceMs: number, task: () => Promise<T>): Promise<T> {
    return this.queue.run(name, patienceMs, task);
  }

  /** Takes the lock as a tab that froze would, until the returned function is called. */
  hold(name: string): () => void {
    let release = (): void => undefined;
    const frozen = new Promise<void>((resolve) => {
      release = resolve;
    });
    void this.queue.run(name, 0, async () => frozen);
    return release;
  }
}
