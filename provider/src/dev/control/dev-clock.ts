import type { ControlledClock } from '#application/dev-control/dev-control.ts';
import { timeOf } from '#server-rules/sign-in-message.ts';
import type { Clock } from '#provider/base/platform.ts';
import type { MovedTime } from './database-time.ts';
import { currentScope, ScopedValues } from './scope.ts';
import { wrongField } from './wrong-field.ts';

const REAL: MovedTime = { movedMs: 0, frozenAt: null };

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const WITHIN = 'a time from 2000 to 2099';
export interface ClockOrder {
  readonly set?: string | undefined;
  readonly move_ms?: number | undefined;
  readonly frozen?: boolean | undefined;
}

/**
 * The clock of a developer's server. Every start, end and expiry uses it, and requests with a scope can have a separate time. Timers of the
 * process run in real time.
 */
export class DevClock implements Clock {
  private readonly settings = new ScopedValues<MovedTime>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    /** The real time. */
    readonly real: Clock,
    /** Called after each change of the time of requests without a scope, so that the database's clock follows. */
    private readonly follow: (setting: MovedTime) => Promise<void> = () => Promise.resolve(),
    /** Called when a clock was set back, with the latest time of any clock. */
    private readonly onBack: (latest: number) => Promise<void> = () => Promise.resolve(),
  ) {}

  now(): number {
    return this.at(this.of(currentScope()));
  }

  /** @param scope null for all requests */
  state(scope: string | null): ControlledClock {
    const setting = this.of(scope);
    const now = this.at(setting);
    return { now: new Date(now).toISOString(), moved_ms: now - this.real.now(), is_frozen: setting.frozenAt !== null };
  }

  /** The latest time of any clock: the real time or later. */
  latest(): number {
    return Math.max(this.real.now(), ...this.settings.values().map((setting) => this.at(setting)));
  }

  /** Throws a Refusal for an invalid time, and then changes nothing. */
  change(scope: string | null, order: ClockOrder): Promise<void> {
    return this.afterOthers(() => this.applyChange(scope, order));
  }

  private async applyChange(scope: string | null, { set, move_ms = 0, frozen }: ClockOrder): Promise<void> {
    const time = set === undefined ? undefined : timeOf(set);
    if (time === null) throw wrongField('set', `${WITHIN}, in the format of RFC 3339`);
    if (!Number.isInteger(move_ms)) throw wrongField('move_ms', 'a whole number of milliseconds');
    const before = this.of(scope);
    const now = (time ?? this.at(before)) + move_ms;
    if (now < EARLIEST || now >= LATEST) {
      throw wrongField(move_ms === 0 ? 'set' : 'move_ms', `such that the clock shows ${WITHIN}`);
    }
    const stands = frozen ?? before.frozenAt !== null;
    const setting = { movedMs: now - this.real.now(), frozenAt: stands ? now : null };
    if (scope === null) await this.follow(setting);
    this.settings.set(scope, setting);
  }

  /** Returns to the real time; with null in every scope, too. */
  reset(scope: string | null): Promise<void> {
    return this.afterOthers(async () => {
      if (scope === null) await this.follow(REAL);
      this.settings.remove(scope);
    });
  }

  /**
   * Ends rows that an earlier run dated in the future because it stopped while its clock was ahead. The start of a server does not wait for
   * this, because the rows may be locked. Changes of the clock wait, so that no later row is ended.
   */
  start(): Promise<void> {
    const done = this.last.then(() => this.onBack(this.latest()));
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all changes of the clock are done. Never rejects. */
  settled(): Promise<unknown> {
    return this.last;
  }

  /**
   * Runs changes one by one, because the database answers later: two simultaneous changes would begin from the same time, and one would be
   * lost.
   */
  private afterOthers(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(() => this.observed(work));
    this.last = done.catch(() => undefined);
    return done;
  }

  private async observed(change: () => Promise<void>): Promise<void> {
    const before = this.latest();
    await change();
    const after = this.latest();
    if (after < before) await this.onBack(after);
  }

  private of(scope: string | null): MovedTime {
    return this.settings.of(scope) ?? REAL;
  }

  private at({ movedMs, frozenAt }: MovedTime): number {
    return frozenAt ?? this.real.now() + movedMs;
  }
}
