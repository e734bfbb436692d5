import { describe, expect, it } from 'vitest';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';

const LONGEST_MS = 2 ** 31 - 1;

/** Timers that fire when told to, and a time of day apart from them. */
function platform(start = 1_000_000) {
  const scope = { now: start, armed: [] as { task: () => void; ms: number; cleared: boolean }[] };
  const clock = new SystemClock({
    Date: { now: () => scope.now },
    setTimeout: (task, ms) => scope.armed.push({ task, ms, cleared: false }),
    clearTimeout: (timer) => {
      if (timer !== undefined) scope.armed[timer - 1]!.cleared = true;
    },
  });
  const fire = (passed: number): void => {
    scope.now += passed;
    scope.armed.at(-1)!.task();
  };
  return { clock, scope, fire };
}

describe('SystemClock', () => {
  it('cuts a wait beyond 2^31-1 ms into timers that the platform holds', () => {
    const { clock, scope, fire } = platform();
    let runs = 0;
    clock.after(2.5 * LONGEST_MS, () => (runs += 1));
    fire(LONGEST_MS);
    fire(LONGEST_MS);
    expect([scope.armed.map(({ ms }) => ms), runs]).toEqual([[LONGEST_MS, LONGEST_MS, LONGEST_MS / 2], 0]);
    fire(LONGEST_MS / 2);
    expect([scope.armed.length, runs]).toEqual([3, 1]);
  });

  it('waits on when a timer fires early', () => {
    const { clock, scope, fire } = platform();
    let runs = 0;
    clock.after(1_000, () => (runs += 1));
    fire(999);
    expect([scope.armed.map(({ ms }) => ms), runs]).toEqual([[1_000, 1], 0]);
    fire(1);
    expect(runs).toBe(1);
  });

  it('runs tasks at once that became due while the machine slept', () => {
    const { clock, fire } = platform();
    let runs = 0;
    clock.after(2 * LONGEST_MS, () => (runs += 1));
    fire(8 * LONGEST_MS);
    expect(runs).toBe(1);
  });

  it('waits no longer than asked when the clock was set back meanwhile', () => {
    const { clock, fire } = platform();
    let runs = 0;
    clock.after(180_000, () => (runs += 1));
    fire(-8 * 3600 * 1000);
    expect(runs).toBe(1);
  });

  it('calls off the timer that is running, of several', () => {
    const { clock, scope, fire } = platform();
    const stop = clock.after(2 * LONGEST_MS, () => undefined);
    fire(LONGEST_MS);
    stop();
    expect(scope.armed.map(({ cleared }) => cleared)).toEqual([false, true]);
  });

  it('calls the timers bare, and those that are there by then', () => {
    const receivers: unknown[] = [];
    const scope = {
      Date,
      setTimeout(this: unknown): number {
        receivers.push(this);
        return 1;
      },
      clearTimeout(this: unknown): void {
        receivers.push(this);
      },
    };
    new SystemClock(scope).after(1, () => undefined)();
    expect(receivers).toEqual([undefined, undefined]);
  });

  it('keeps no Node process alive', () => {
    let timer: NodeJS.Timeout | undefined;
    const clock = new SystemClock({ Date, clearTimeout, setTimeout: (task, ms) => (timer = setTimeout(task, ms)) });
    const stop = clock.after(60_000, () => undefined);
    expect(timer?.hasRef()).toBe(false);
    stop();
  });
});
