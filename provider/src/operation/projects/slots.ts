/** A running server that can be stopped in favour of another one. */
export interface Displaceable {
  /** By `performance.now()`; the least is stopped first. Null while it may not be stopped. */
  readonly idleSince: number | null;
  /** Whether it has work that waits. */
  hasMessages(): Promise<boolean>;
  /** Stops it, unless a request came meanwhile. Resolves when it has ended and its slot is free. */
  displace(): Promise<void>;
}

/** Limits how many servers run at once. Who waits for a slot gets it in order. */
export class Slots {
  private used = 0;
  private readonly queue: (() => void)[] = [];
  private choosing = false;
  /** Servers that end in favour of others. */
  private leaving = 0;

  constructor(
    private readonly most: number,
    private readonly running: () => readonly Displaceable[],
  ) {}

  /** Resolves when there is a slot, with a function that gives it back. */
  async take(): Promise<() => void> {
    if (this.used < this.most) this.used += 1;
    else {
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
        this.makeRoom();
      });
    }
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = this.queue.shift();
      if (next === undefined) this.used -= 1;
      else {
        next();
        this.makeRoom();
      }
    };
  }

  /** Stops the server that was idle longest, one with waiting messages only if there is no other. Called also when one became idle. */
  makeRoom(): void {
    if (this.queue.length <= this.leaving || this.choosing) return;
    this.choosing = true;
    void this.choose().then((found) => {
      this.choosing = false;
      if (found === null) return;
      this.leaving += 1;
      void found.displace().finally(() => {
        this.leaving -= 1;
        this.makeRoom();
      });
      this.makeRoom();
    });
  }

  private async choose(): Promise<Displaceable | null> {
    const idle = this.running()
      .filter(({ idleSince }) => idleSince !== null)
      .sort((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0));
    for (const each of idle) if (!(await each.hasMessages()) && each.idleSince !== null) return each;
    return idle.find(({ idleSince }) => idleSince !== null) ?? null;
  }
}
