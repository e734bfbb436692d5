import { Refusal } from '../../../src/domain/rules/refusal.ts';

interface Waiting {
  readonly resume: () => void;
  readonly refuse: (refusal: Refusal) => void;
}

const full = (): Refusal => new Refusal('service_unavailable', 'Too many passwords are being checked.', 1);

/**
 * Runs so many at once; the others wait, in a line for each peer, and the lines are served in turn. When all lines
 * together are too long, the newest of the longest one is refused: a peer that floods waits in its own line, and a
 * single request of another peer is next.
 */
export class Semaphore {
  /** By peer, the one whose turn is next first. */
  private readonly lines = new Map<string, Waiting[]>();
  private free: number;
  private waiting = 0;

  constructor(
    readonly slots: number,
    readonly longestLine: number,
  ) {
    this.free = slots;
  }

  /** How many run now. */
  get running(): number {
    return this.slots - this.free;
  }

  /** @param peer whose line is joined, such as a network; without one, a line for all */
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
    if (this.waiting >= this.longestLine && !this.makeRoom(mine.length)) throw full();
    return new Promise<void>((resume, refuse) => {
      mine.push({ resume, refuse });
      this.lines.set(peer, mine);
      this.waiting += 1;
    });
  }

  /** Refuses the newest of the longest line, if that is longer than one's own would be. */
  private makeRoom(own: number): boolean {
    let longest: Waiting[] = [];
    for (const line of this.lines.values()) if (line.length > longest.length) longest = line;
    const newest = longest.length > own + 1 ? longest.pop() : undefined;
    if (newest === undefined) return false;
    this.waiting -= 1;
    newest.refuse(full());
    return true;
  }

  /** Gives the slot to the next line's oldest; that line is last then. */
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
