import type { ClockPort } from '../ports/index.ts';

/** How many requests strangers may cause: an initial number, and then one per interval. */
export class RequestBudget {
  private left: number;
  private filledAt: number;

  constructor(
    private readonly clock: ClockPort,
    private readonly capacity: number,
    private readonly intervalMs: number,
  ) {
    this.left = capacity;
    this.filledAt = clock.now();
  }

  /** Takes one. @returns the time in milliseconds until one is available; 0 if this one was taken */
  take(): number {
    const now = this.clock.now();
    const intervals = Math.floor((now - this.filledAt) / this.intervalMs);
    // The clock may have been set back.
    if (intervals < 0 || intervals >= this.capacity) {
      this.left = this.capacity;
      this.filledAt = now;
    } else {
      this.left = Math.min(this.capacity, this.left + intervals);
      this.filledAt += intervals * this.intervalMs;
    }
    if (this.left === 0) return this.filledAt + this.intervalMs - now;
    this.left -= 1;
    return 0;
  }

  /** Returns one, because it turned out not to be for a stranger. */
  giveBack(): void {
    this.left = Math.min(this.capacity, this.left + 1);
  }
}
