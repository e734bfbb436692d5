import type { ClockPort } from '#application/ports/index.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { settle } from './settle.ts';

/** Throws for a value that would make the clock's time invalid, such as `{ minutes: 5 }`. */
function checkTime(method: string, name: string, value: unknown, rule = 'it must be a number of milliseconds'): void {
  if (Number.isFinite(value)) return;
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new SDKUsageError(method, `${name} is ${text}: ${rule}.`);
}

interface Wait {
  due: number;
  readonly task: () => void;
}

/** A clock whose time passes only by calls of `advance` and `jump`. */
export class VirtualClock implements ClockPort {
  private readonly waits = new Set<Wait>();
  private time: number;

  /** @param start milliseconds since 1970 */
  constructor(start = Date.UTC(2026, 0, 1)) {
    checkTime(
      'VirtualClock',
      'start',
      start,
      'it must be milliseconds since 1970, such as those of Date.UTC(2026, 0, 1)',
    );
    this.time = start;
  }

  /** The number of pending waits. */
  get pending(): number {
    return this.waits.size;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, task: () => void): () => void {
    const wait: Wait = { due: this.time + (Math.max(0, ms) || 0), task };
    this.waits.add(wait);
    return () => void this.waits.delete(wait);
  }

  /**
   * Advances the time by `ms`: runs due tasks in order of time, and lets promises settle after each task. Time waits for code that the
   * client is loading, so that the first run behaves like later ones.
   */
  async advance(ms: number): Promise<void> {
    checkTime('clock.advance', 'ms', ms);
    if (ms < 0)
      throw new SDKUsageError('clock.advance', `ms is ${ms}: it must be 0 or more. \`jump\` sets the clock back.`);
    const until = this.time + ms;
    await settle();
    for (let next = this.earliest(until); next !== null; next = this.earliest(until)) {
      this.waits.delete(next);
      this.time = Math.max(this.time, next.due);
      next.task();
      await settle();
    }
    this.time = Math.max(this.time, until);
  }

  /**
   * Moves the time without running tasks, like a laptop's sleep: due tasks run at `wake()`. A negative number sets the clock back; pending
   * tasks keep their remaining time.
   */
  jump(ms: number): void {
    checkTime('clock.jump', 'ms', ms);
    this.time += ms;
    if (ms >= 0) return;
    for (const wait of this.waits) wait.due += ms;
  }

  /** Runs the tasks that became due during a jump. */
  async wake(): Promise<void> {
    await this.advance(0);
  }

  private earliest(until: number): Wait | null {
    let first: Wait | null = null;
    for (const wait of this.waits) {
      if (wait.due <= until && (first === null || wait.due < first.due)) first = wait;
    }
    return first;
  }
}
