import { AsyncLocalStorage } from 'node:async_hooks';
import { COMMON, Semaphore, type NetworkPair } from './semaphore.ts';

/** A task in a slot. Parts of it may wait for other servers at the same time. */
class RunningTask {
  private outside = 0;
  private hasSlot = true;
  private hasEnded = false;
  private returning: Promise<void> | null = null;

  constructor(
    private readonly leave: () => void,
    private readonly comeBack: () => Promise<void>,
  ) {}

  async without<T>(wait: () => Promise<T>): Promise<T> {
    if (this.hasEnded) return wait();
    this.outside += 1;
    this.giveSlot();
    try {
      return await current.run(null, wait);
    } finally {
      this.outside -= 1;
      await this.takeSlot();
    }
  }

  end(): void {
    this.hasEnded = true;
    this.giveSlot();
  }

  private get needsSlot(): boolean {
    return this.outside === 0 && !this.hasEnded;
  }

  private giveSlot(): void {
    if (this.hasSlot) this.leave();
    this.hasSlot = false;
  }

  private async takeSlot(): Promise<void> {
    if (!this.needsSlot) return;
    this.returning ??= this.returnToSlot();
    await this.returning;
  }

  private async returnToSlot(): Promise<void> {
    await this.comeBack();
    this.returning = null;
    this.hasSlot = true;
    // Another part may have left meanwhile.
    if (!this.needsSlot) this.giveSlot();
  }
}

const current = new AsyncLocalStorage<RunningTask | null>();

/**
 * A queue for work of this machine, such as hashes. A task gives its slot to others while it waits for another server, and then comes back
 * before the new tasks of its network. Otherwise a slow server would delay people who need nothing of it. `outsideFetch` does this for
 * each request.
 */
export class WorkLine extends Semaphore {
  override async run<T>(work: () => Promise<T>, peer: NetworkPair = COMMON): Promise<T> {
    await this.enter(peer);
    const leave = (): void => this.leave(peer.wide);
    const task = new RunningTask(leave, () => this.comeBack(peer));
    try {
      return await current.run(task, work);
    } finally {
      task.end();
    }
  }
}

/** Waits for another server, outside of the `WorkLine` that the caller is in, if it is in one. */
export async function outsideLine<T>(wait: () => Promise<T>): Promise<T> {
  return current.getStore()?.without(wait) ?? wait();
}
