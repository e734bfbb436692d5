import { Refusal } from '../../../src/domain/rules/refusal.ts';

interface Waiting {
  readonly resume: () => void;
  readonly refuse: (refusal: Refusal) => void;
}

/**
 * Limits how many tasks run at once. The others wait in a queue for each peer, and the queues are served in turn. When all
 * queues together are too long, the newest task of the longest queue is refused: a flooding peer waits in its own queue,
 * and a single request of another peer is served next.
 */
export class Semaphore {
  /** The queues by peer, in the order in which they are served. */
  private readonly lines = new Map<string, Waiting[]>();
  private free: number;
  private waiting = 0;

  constructor(
    readonly slots: number,
    readonly longestLine: number,
    private readonly fullMessage = 'Too many passwords are being checked.',
  ) {
    this.free = slots;
  }

  /** How many run now. */
  get running(): number {
    return this.slots - this.free;
  }

  /** @param peer the queue to join, such as a network; the default is one common queue */
  async run<T>(work: () => Promise<T>, peer = ''): Promise<T> {
    if (this.free === 0) await this.wait(peer);
    else this.free -= 1;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private wait(peer: string): Promise<void> {
    const mine = this.lines.get(peer) ?? [];
    if (this.waiting >= this.longestLine && !this.makeRoom(mine.length)) throw this.full();
    return new Promise<void>((resume, refuse) => {
      mine.push({ resume, refuse });
      this.lines.set(peer, mine);
      this.waiting += 1;
    });
  }

  private full(): Refusal {
    return new Refusal('service_unavailable', this.fullMessage, 1);
  }

  /** Refuses the newest task of the longest queue, if that queue is longer than the caller's own would be. */
  private makeRoom(own: number): boolean {
    let longest: Waiting[] = [];
    for (const line of this.lines.values()) if (line.length > longest.length) longest = line;
    const newest = longest.length > own + 1 ? longest.pop() : undefined;
    if (newest === undefined) return false;
    this.waiting -= 1;
    newest.refuse(this.full());
    return true;
  }

  /** Gives the slot to the oldest task of the next queue, which then becomes the last queue. */
  private leave(): void {
    for (const [peer, line] of this.lines) {
      this.lines.delete(peer);
      const next = line.shift();
      if (next === undefined) continue;
      if (line.length > 0) this.lines.set(peer, line);
      this.waiting -= 1;
      next.resume();
      return;
    }
    this.free += 1;
  }
}
