import type { ControlledClock } from '../../../../src/application/dev-control/dev-control.ts';
import type { Clock } from '../../platform.ts';
import type { MovedTime } from './database-time.ts';
import { currentScope, Scoped } from './scope.ts';
import { wrongField } from './wrong-field.ts';

const REAL: MovedTime = { movedMs: 0, frozenAt: null };

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const WITHIN = 'a time from 2000 to 2099';
/** RFC 3339, section 5.6. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u;

export interface ClockOrder {
  readonly set?: string | undefined;
  readonly move_ms?: number | undefined;
  readonly frozen?: boolean | undefined;
}

/**
 * The clock of a developer's server. All that starts, ends and expires asks it, and a request with a scope may have a time of its
 * own. Timers of the process run in real time.
 */
export class DevClock implements Clock {
  readonly #settings = new Scoped<MovedTime>();

  constructor(
    /** The real time. */
    readonly real: Clock,
    /** Is told of each change of the time of requests without a scope, so that the database's own clock follows. */
    private readonly follow: (setting: MovedTime) => Promise<void> = () => Promise.resolve(),
  ) {}

  now(): number {
    return this.#at(this.#of(currentScope()));
  }

  /** @param scope null for all requests */
  state(scope: string | null): ControlledClock {
    const setting = this.#of(scope);
    const now = this.#at(setting);
    return { now: new Date(now).toISOString(), moved_ms: now - this.real.now(), is_frozen: setting.frozenAt !== null };
  }

  /** Throws a Refusal for a time that is none, and changes nothing then. */
  async change(scope: string | null, { set, move_ms = 0, frozen }: ClockOrder): Promise<void> {
    if (set !== undefined && !isTimestamp(set)) throw wrongField('set', `${WITHIN}, in the format of RFC 3339`);
    if (!Number.isInteger(move_ms)) throw wrongField('move_ms', 'a whole number of milliseconds');
    const before = this.#of(scope);
    const now = (set === undefined ? this.#at(before) : Date.parse(set)) + move_ms;
    if (now < EARLIEST || now >= LATEST) {
      throw wrongField(move_ms === 0 ? 'set' : 'move_ms', `such that the clock shows ${WITHIN}`);
    }
    const stands = frozen ?? before.frozenAt !== null;
    await this.#change(scope, { movedMs: now - this.real.now(), frozenAt: stands ? now : null });
  }

  /** Back to the real time; with null also in every scope. */
  async reset(scope: string | null): Promise<void> {
    this.#settings.remove(scope);
    if (scope === null) await this.follow(REAL);
  }

  async #change(scope: string | null, setting: MovedTime): Promise<void> {
    if (scope === null) await this.follow(setting);
    this.#settings.set(scope, setting);
  }

  #of(scope: string | null): MovedTime {
    return this.#settings.of(scope) ?? REAL;
  }

  #at({ movedMs, frozenAt }: MovedTime): number {
    return frozenAt ?? this.real.now() + movedMs;
  }
}

function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text));
}
