import type { ClockPort } from '#application/ports/index.ts';

/** The longest delay of a platform timer: a longer one overflows and fires immediately (HTML Standard, section 8.6). */
const LONGEST_MS = 2 ** 31 - 1;

/** The global object with timers and `Date`: the window, or any other. */
export interface TimeScope {
  readonly Date: { now(): number };
  readonly setTimeout: (task: () => void, ms: number) => unknown;
  /** A browser's timers are numbers; Node's are objects, which are passed back unchanged. */
  readonly clearTimeout: (timer: number | undefined) => void;
}

/** The platform's timers. Each is checked against the time of day, because a timer may fire early. */
export class SystemClock implements ClockPort {
  constructor(private readonly scope: TimeScope) {}

  now(): number {
    return this.scope.Date.now();
  }

  after(ms: number, task: () => void): () => void {
    const { setTimeout, clearTimeout } = this.scope;
    let timer: unknown;
    const wait = (remainingMs: number): void => {
      const from = this.now();
      const step = Math.min(remainingMs, LONGEST_MS);
      timer = setTimeout(() => {
        const passed = this.now() - from;
        // If the clock was set back, the elapsed time is unknown, and the timer is trusted.
        const rest = remainingMs - (passed < 0 ? step : passed);
        if (rest > 0) wait(rest);
        else task();
      }, step);
      // Only Node's timers have `unref`; without it they would keep the process alive.
      (timer as { unref?: () => void }).unref?.();
    };
    wait(Math.max(0, ms) || 0);
    return () => clearTimeout(timer as number | undefined);
  }
}
