import type { ClockPort } from '../../application/ports/index.ts';

/** The longest wait that platforms hold: more wraps to an immediate timer (HTML Standard, section 8.6). */
const LONGEST_MS = 2 ** 31 - 1;

/** What has timers and `Date`: the window, or any global object. */
export interface TimeScope {
  readonly Date: { now(): number };
  readonly setTimeout: (task: () => void, ms: number) => unknown;
  /** A browser's timers are numbers; Node's are objects, passed back as they came. */
  readonly clearTimeout: (timer: number | undefined) => void;
}

/** The platform's timers, checked against the time of day, so that an early timer is not taken for the time itself. */
export class SystemClock implements ClockPort {
  constructor(private readonly scope: TimeScope) {}

  now(): number {
    return this.scope.Date.now();
  }

  after(ms: number, task: () => void): () => void {
    const { setTimeout, clearTimeout } = this.scope;
    let timer: unknown;
    const wait = (left: number): void => {
      const from = this.now();
      const step = Math.min(left, LONGEST_MS);
      timer = setTimeout(() => {
        const passed = this.now() - from;
        // A clock that was set back says nothing of how long it was: then the timer's word counts.
        const rest = left - (passed < 0 ? step : passed);
        if (rest > 0) wait(rest);
        else task();
      }, step);
      // Only Node's timers have it; they would keep the process alive.
      (timer as { unref?: () => void }).unref?.();
    };
    wait(Math.max(0, ms) || 0);
    return () => clearTimeout(timer as number | undefined);
  }
}
