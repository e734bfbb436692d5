import type { ClockPort } from '../ports/index.ts';

/** How many requests strangers may cause: an initial number, and then one per interval. */
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

  /** Takes one. @returns the time in milliseconds until one is available; 0 if this one was taken */
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

  /** Returns one, because it turned out not to be for a stranger. */
  giveBack(): void {
    this.permits = Math.min(this.capacity, this.permits + 1);
  }
}
