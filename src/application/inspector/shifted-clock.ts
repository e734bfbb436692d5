import type { ClockPort } from '../ports/index.ts';
import { override } from './override.ts';

interface Wait {
  readonly task: () => void;
  /** Milliseconds since 1970, by the moved clock. */
  due: number;
  cancel: () => void;
}

/**
 * Moves an existing clock in place: `now` returns the moved time, and waits that became due by the move end immediately. The clock is
 * unchanged until the first move. Waits that began before it keep their length.
 */
export class ShiftedClock {
  private moved = 0;
  private readonly waits = new Set<Wait>();
  private restore: (() => void) | null = null;

  constructor(private readonly clock: ClockPort) {}

  /** The offset of this clock, in milliseconds. */
  get movedMs(): number {
    return this.moved;
  }

  /** Throws a TypeError when the clock is an object that cannot be changed. */
  move(ms: number): void {
    this.restore ??= this.takeOver();
    this.moved += ms;
    for (const wait of this.waits) {
      // When a clock is set back, every wait keeps its remaining time.
      if (ms < 0) wait.due += ms;
      else this.begin(wait);
    }
  }

  /** Restores the original clock. Pending waits continue. */
  end(): void {
    this.restore?.();
    this.restore = null;
    this.moved = 0;
    this.waits.clear();
  }

  private begin: (wait: Wait) => void = () => undefined;

  private takeOver(): () => void {
    const { clock } = this;
    let now = (): number => 0;
    let after: ClockPort['after'];
    const shifted = (): number => now() + this.moved;
    this.begin = (wait) => {
      wait.cancel();
      wait.cancel = after(Math.max(0, wait.due - shifted()), () => {
        this.waits.delete(wait);
        wait.task();
      });
    };
    const endNow = override(clock, 'now', (below) => {
      now = () => below().call(clock);
      return shifted;
    });
    const endAfter = override(clock, 'after', (below) => {
      after = (...wait) => below().apply(clock, wait);
      return (ms, task) => {
        const wait: Wait = { task, due: shifted() + (Math.max(0, ms) || 0), cancel: () => undefined };
        this.waits.add(wait);
        this.begin(wait);
        return () => {
          this.waits.delete(wait);
          wait.cancel();
        };
      };
    });
    return () => {
      endAfter();
      endNow();
    };
  }
}
