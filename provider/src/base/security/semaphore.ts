import { Refusal } from '#domain/rules/refusal.ts';

/** A task that has had a slot before, and is never refused. */
interface ReturningTask {
  readonly resume: () => void;
}

interface WaitingTask extends ReturningTask {
  readonly refuse: (refusal: Refusal) => void;
}

/** The place of a task: the queue of its network, among the queues of the wider network that one attacker may control. */
export interface NetworkPair {
  readonly wide: string;
  readonly narrow: string;
}

/** The peer of the queue that all tasks without a peer share. */
export const COMMON: NetworkPair = { wide: '', narrow: '' };

/** Queues by name, in the order of their turns. Returning tasks come first, and have no limit. */
class TaskQueues {
  private readonly lines = new Map<string, WaitingTask[]>();
  private readonly returning: ReturningTask[] = [];
  /** The number of tasks that do not return. */
  length = 0;

  get isEmpty(): boolean {
    return this.length === 0 && this.returning.length === 0;
  }

  lengthOf(name: string): number {
    return this.lines.get(name)?.length ?? 0;
  }

  join(name: string, waiting: WaitingTask): void {
    this.lines.set(name, [...(this.lines.get(name) ?? []), waiting]);
    this.length += 1;
  }

  comeBack(returning: ReturningTask): void {
    this.returning.push(returning);
  }

  /** Takes the oldest returning task, or the oldest task of the next queue, which then becomes the last one. */
  next(): WaitingTask | ReturningTask | undefined {
    const [first] = this.lines;
    const returning = this.returning.shift();
    if (returning !== undefined || first === undefined) return returning;
    const [name, [oldest, ...rest]] = first;
    this.lines.delete(name);
    if (rest.length > 0) this.lines.set(name, rest);
    this.length -= 1;
    return oldest;
  }

  /** Takes the newest task of the longest queue, if that queue is longer than this. */
  newest(longerThan = 0): WaitingTask | undefined {
    let longest: WaitingTask[] = [];
    for (const line of this.lines.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= longerThan) return undefined;
    this.length -= 1;
    return longest.pop();
  }
}

/**
 * Limits how many tasks run at once. The others wait in a queue per network. The wide networks take turns, and within each of them the
 * narrow ones. If all queues together are too long, the newest task of the longest queue is rejected. So a flooding peer waits in its own
 * queue, and a single request of another peer is served next.
 */
export class Semaphore {
  /** By wide network, in the order of their turns. */
  private readonly peers = new Map<string, TaskQueues>();
  /** The number of running tasks of each wide network. */
  private readonly busy = new Map<string, number>();
  private free: number;
  private waiting = 0;
  private returning = 0;

  constructor(
    readonly slots: number,
    readonly longestLine: number,
    private readonly fullMessage = 'Too many passwords are being checked. Please try again in a moment.',
    /** The number of slots that one wide network may use. */
    readonly slotsOfPeer = slots,
  ) {
    this.free = slots;
  }

  /** The number of running tasks. */
  get running(): number {
    return this.slots - this.free;
  }

  /** The number of tasks in all queues, also of those that return. */
  get queued(): number {
    return this.waiting;
  }

  /** @param peer the peer whose queue to join; by default one common queue */
  async run<T>(work: () => Promise<T>, peer: NetworkPair = COMMON): Promise<T> {
    await this.enter(peer);
    try {
      return await work();
    } finally {
      this.leave(peer.wide);
    }
  }

  protected async enter(peer: NetworkPair): Promise<void> {
    if (this.isFull(peer)) await this.wait(peer);
    else this.start(peer.wide);
  }

  /** Waits for a slot again, before the new tasks of its network. Never refuses. */
  protected async comeBack(peer: NetworkPair): Promise<void> {
    if (!this.isFull(peer)) {
      this.start(peer.wide);
      return;
    }
    this.waiting += 1;
    this.returning += 1;
    await new Promise<void>((resume) => this.linesOf(peer.wide).comeBack({ resume }));
  }

  private isFull({ wide }: NetworkPair): boolean {
    return this.free <= 0 || this.isBusy(wide);
  }

  private isBusy(wide: string): boolean {
    return (this.busy.get(wide) ?? 0) >= this.slotsOfPeer;
  }

  private start(wide: string): void {
    this.free -= 1;
    this.busy.set(wide, (this.busy.get(wide) ?? 0) + 1);
  }

  private wait({ wide, narrow }: NetworkPair): Promise<void> {
    const isLong = this.waiting - this.returning >= this.longestLine;
    if (isLong && !this.makeRoom({ wide, narrow })) throw this.full();
    this.waiting += 1;
    return new Promise<void>((resume, refuse) => this.linesOf(wide).join(narrow, { resume, refuse }));
  }

  private linesOf(wide: string): TaskQueues {
    const lines = this.peers.get(wide) ?? new TaskQueues();
    this.peers.set(wide, lines);
    return lines;
  }

  private full(): Refusal {
    return new Refusal('service_unavailable', this.fullMessage, 1);
  }

  /** Refuses the newest task of the longest queue, if that queue is longer than the caller's own would be. */
  private makeRoom({ wide, narrow }: NetworkPair): boolean {
    const own = this.peers.get(wide);
    let longest: TaskQueues | undefined;
    for (const lines of this.peers.values()) if (lines.length > (longest?.length ?? 0)) longest = lines;
    const others = longest !== own && (longest?.length ?? 0) > (own?.length ?? 0) + 1 ? longest?.newest() : undefined;
    const newest = others ?? own?.newest(own.lengthOf(narrow) + 1);
    if (newest === undefined) return false;
    this.waiting -= 1;
    newest.refuse(this.full());
    return true;
  }

  /** Gives the slot to the next wide network that may use it, and makes that network the last one. */
  protected leave(network: string): void {
    this.free += 1;
    const others = (this.busy.get(network) ?? 1) - 1;
    if (others > 0) this.busy.set(network, others);
    else this.busy.delete(network);
    if (this.free <= 0) return;
    for (const [wide, lines] of this.peers) {
      if (!lines.isEmpty && this.isBusy(wide)) continue;
      this.peers.delete(wide);
      const next = lines.next();
      if (next === undefined) continue;
      if (!lines.isEmpty) this.peers.set(wide, lines);
      this.waiting -= 1;
      if (!('refuse' in next)) this.returning -= 1;
      this.start(wide);
      next.resume();
      return;
    }
  }
}
