/** A running server that can be stopped to make room for another. */
export interface Displaceable {
  /** When it became idle, by `performance.now()`; the earliest is stopped first. Null while it must not be stopped. */
  readonly idleSince: number | null;
  /** Whether it has pending work. */
  hasMessages(): Promise<boolean>;
  /** Stops it, unless a request came meanwhile. Resolves when it has ended and its slot is free. */
  displace(): Promise<void>;
}

/** A server that waits for a slot. */
interface Turn {
  readonly isNeeded: () => boolean;
  readonly end: (hasSlot: boolean) => void;
}

/** Limits how many servers run at once. Waiting servers get slots in order. */
export class Slots {
  private used = 0;
  private queue: Turn[] = [];
  private choosing = false;
  /** Servers that are being stopped to make room for others. */
  private leaving = 0;

  constructor(
    private readonly most: number,
    private readonly running: () => readonly Displaceable[],
  ) {}

  /** Resolves with a function that returns the slot, once there is one; with null if none is needed any more. */
  async take(isNeeded: () => boolean): Promise<(() => void) | null> {
    if (this.used < this.most) this.used += 1;
    else {
      const hasSlot = await new Promise<boolean>((end) => {
        this.queue.push({ isNeeded, end });
        this.makeRoom();
      });
      if (!hasSlot) return null;
    }
    return () => {
      this.forget();
      const next = this.queue.shift();
      if (next === undefined) this.used -= 1;
      else next.end(true);
      this.makeRoom();
    };
  }

  /**
   * Stops the server that was idle longest. One with waiting messages is stopped only if there is no other. Also called when a server
   * becomes idle.
   */
  makeRoom(): void {
    this.forget();
    if (this.queue.length <= this.leaving || this.choosing) return;
    this.choosing = true;
    void this.replace();
  }

  private async replace(): Promise<void> {
    const found = await this.choose();
    this.choosing = false;
    if (found === null) return;
    this.leaving += 1;
    // Several may be waiting.
    this.makeRoom();
    await found.displace();
    this.leaving -= 1;
    this.makeRoom();
  }

  /** Removes waiters that no longer need a slot. */
  private forget(): void {
    const staleTurns = this.queue.filter(({ isNeeded }) => !isNeeded());
    this.queue = this.queue.filter((turn) => !staleTurns.includes(turn));
    for (const { end } of staleTurns) end(false);
  }

  private async choose(): Promise<Displaceable | null> {
    const idle = this.running()
      .filter(({ idleSince }) => idleSince !== null)
      .sort((a, b) => (a.idleSince ?? 0) - (b.idleSince ?? 0));
    for (const each of idle) if (!(await each.hasMessages()) && each.idleSince !== null) return each;
    return idle.find(({ idleSince }) => idleSince !== null) ?? null;
  }
}
