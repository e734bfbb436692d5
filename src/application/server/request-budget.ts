import type { ClockPort } from '../ports/index.ts';

/** How many requests a stranger's input may cause: some at once, and then one in each interval. */
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

  /** Takes one. @returns the time in milliseconds until there is another one; 0 where this one was taken */
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

  /** Gives one back that turned out to be no stranger's. */
  giveBack(): void {
    this.left = Math.min(this.capacity, this.left + 1);
  }
}
