import { Refusal } from '#domain/rules/refusal.ts';

interface WaitingTask {
  readonly resume: () => void;
  readonly refuse: (refusal: Refusal) => void;
}

/** The place of a task: the queue of its network, among the queues of the wider network that one attacker may control. */
interface NetworkPair {
  readonly wide: string;
  readonly narrow: string;
}

/** The peer of the queue that all tasks without a peer share. */
const COMMON: NetworkPair = { wide: '', narrow: '' };

/** Queues by name, in the order of their turns. */
class TaskQueues {
  private readonly lines = new Map<string, WaitingTask[]>();
  length = 0;

  lengthOf(name: string): number {
    return this.lines.get(name)?.length ?? 0;
  }

  join(name: string, waiting: WaitingTask): void {
    this.lines.set(name, [...(this.lines.get(name) ?? []), waiting]);
    this.length += 1;
  }

  /** Takes the oldest task of the next queue, which then becomes the last one. */
  next(): WaitingTask | undefined {
    const [first] = this.lines;
    if (first === undefined) return undefined;
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

  /** The number of tasks in all queues. */
  get queued(): number {
    return this.waiting;
  }

  /** @param peer the peer whose queue to join; by default one common queue */
  async run<T>(work: () => Promise<T>, peer: NetworkPair = COMMON): Promise<T> {
    if (this.free <= 0 || this.isBusy(peer.wide)) await this.wait(peer);
    else this.start(peer.wide);
    try {
      return await work();
    } finally {
      this.leave(peer.wide);
    }
  }

  /**
   * Gives the slot of a running task to others while it waits for something else. Afterwards the task goes on at once, so that there may
   * be more running tasks than slots for a moment.
   */
  async without<T>(wait: () => Promise<T>, peer: NetworkPair = COMMON): Promise<T> {
    this.leave(peer.wide);
    try {
      return await wait();
    } finally {
      this.start(peer.wide);
    }
  }

  private isBusy(wide: string): boolean {
    return (this.busy.get(wide) ?? 0) >= this.slotsOfPeer;
  }

  private start(wide: string): void {
    this.free -= 1;
    this.busy.set(wide, (this.busy.get(wide) ?? 0) + 1);
  }

  private wait({ wide, narrow }: NetworkPair): Promise<void> {
    if (this.waiting >= this.longestLine && !this.makeRoom({ wide, narrow })) throw this.full();
    const lines = this.peers.get(wide) ?? new TaskQueues();
    this.peers.set(wide, lines);
    this.waiting += 1;
    return new Promise<void>((resume, refuse) => lines.join(narrow, { resume, refuse }));
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
  private leave(network: string): void {
    this.free += 1;
    const others = (this.busy.get(network) ?? 1) - 1;
    if (others > 0) this.busy.set(network, others);
    else this.busy.delete(network);
    if (this.free <= 0) return;
    for (const [wide, lines] of this.peers) {
      if (lines.length > 0 && this.isBusy(wide)) continue;
      this.peers.delete(wide);
      const next = lines.next();
      if (next === undefined) continue;
      if (lines.length > 0) this.peers.set(wide, lines);
      this.waiting -= 1;
      this.start(wide);
      next.resume();
      return;
    }
  }
}
