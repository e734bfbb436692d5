import type { ClockPort } from '../ports/index.ts';

/** How many requests a stranger's input may cause: some at once, and then one in each interval. */
export class RequestBudget {
  private permits: number;
  private filledAt: number;

  constructor(
    private readonly clock: ClockPort,
    private readonly capacity: number,
    private readonly intervalMs: number,
  ) {
    this.permits = capacity;
    this.filledAt = clock.now();
  }

  /** Takes one. @returns the time in milliseconds until there is another one; 0 where this one was taken */
  take(): number {
    const now = this.clock.now();
    const intervals = Math.floor((now - this.filledAt) / this.intervalMs);
    // The clock may have been set back.
    if (intervals < 0 || intervals >= this.capacity) {
      this.permits = this.capacity;
      this.filledAt = now;
    } else {
      this.permits = Math.min(this.capacity, this.permits + intervals);
      this.filledAt += intervals * this.intervalMs;
    }
    if (this.permits === 0) return this.filledAt + this.intervalMs - now;
    this.permits -= 1;
    return 0;
  }

  /** Gives one back that turned out to be no stranger's. */
  giveBack(): void {
    this.permits = Math.min(this.capacity, this.permits + 1);
  }
}
