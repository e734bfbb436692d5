import { monotonicClock, type Clock } from '../platform.ts';

/** The service failed repeatedly, and is not called for a while. */
export class PausedError extends Error {}

export interface BreakerLimits {
  /** After this many failures in a row, the service is not called. */
  readonly failures: number;
  readonly pauseMs: number;
}

/**
 * Keeps an outage of another service from slowing this server down. After repeated failures, calls fail immediately until the pause is
 * over. Then the next failure begins another pause, and a success resets the count.
 */
export class Breaker {
  private failed = 0;
  private pausedUntil = -Infinity;

  constructor(
    private readonly limits: BreakerLimits,
    private readonly clock: Clock = monotonicClock,
  ) {}

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.clock.now() < this.pausedUntil) throw new PausedError('the service failed a moment ago');
    try {
      const result = await call();
      this.failed = 0;
      return result;
    } catch (error) {
      this.failed += 1;
      if (this.failed >= this.limits.failures) this.pausedUntil = this.clock.now() + this.limits.pauseMs;
      throw error;
    }
  }
}
