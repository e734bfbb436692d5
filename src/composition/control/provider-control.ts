import {
  devControl,
  FAULT_MOST,
  type ControlledClock,
  type ControlState,
  type Fault,
  type FaultyCall,
  type PersonToSeed,
  type ProjectSettings,
  type SeededPerson,
  type Snapshot,
  type SocialAnswer,
} from '#application/dev-control/dev-control.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { isRecord } from '#domain/shape.ts';
import { unknownOption } from '#domain/widget/option-names.ts';
import type { RefusalType } from '#domain/rules/refusal.ts';
import { callerOf, type CallControl, type ControlOptions } from './call-control.ts';

/** A length of time: the sum of its fields. */
export interface TimeSpan {
  readonly milliseconds?: number;
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
}

const UNITS = { milliseconds: 1, seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/**
 * Throws an SDKUsageError for a span without a unit, an unknown unit, and a value that is not a number, because all these would count as 0.
 */
function millisecondsOf(span: TimeSpan): number {
  const wrong = unknownOption(span, Object.keys(UNITS));
  if (wrong !== null) throw new SDKUsageError('clock.move', `the span, such as { minutes: 5 }: ${wrong}`);
  const odd = Object.entries(span).find(([, value]) => value !== undefined && !Number.isFinite(value));
  if (odd !== undefined) throw new SDKUsageError('clock.move', `${odd[0]} must be a number`);
  return (Object.keys(UNITS) as (keyof TimeSpan)[]).reduce((sum, unit) => sum + (span[unit] ?? 0) * UNITS[unit], 0);
}

const timestampOf = (at: Date | string): string => (typeof at === 'string' ? at : at.toISOString());

/** The number of affected requests, and the details of the error response. */
export interface FaultOptions extends Pick<Fault, 'times'> {
  /** The header `Retry-After`, in seconds. Default: 60 for refusals with status 429. */
  readonly retryAfterSeconds?: number;
  /** The delay of the error response, in milliseconds. Default: 0. */
  readonly delayMs?: number;
}

const FAULT_OPTIONS = {
  times: [FAULT_MOST.times, 'requests'],
  retryAfterSeconds: [FAULT_MOST.retry_after_seconds, 'seconds'],
  delayMs: [FAULT_MOST.delay_ms, 'milliseconds'],
} as const satisfies Record<keyof FaultOptions, readonly [most: number, unit: string]>;

/**
 * Throws an SDKUsageError that names every wrong option of a fault.
 *
 * @param validNames the valid options of the method
 */
export function checkFault(method: string, options: FaultOptions, validNames: readonly (keyof FaultOptions)[]): void {
  if (!isRecord(options)) throw new SDKUsageError(method, 'options must be an object');
  const unknown = unknownOption(options, validNames);
  const odd = validNames.flatMap((name) => {
    const value = (options as FaultOptions)[name];
    const [most, unit] = FAULT_OPTIONS[name];
    const isRight = value === undefined || (Number.isInteger(value) && value >= 1 && value <= most);
    return isRight ? [] : [`${name} must be a whole number from 1 to ${most} ${unit}`];
  });
  const mistakes = unknown === null ? odd : [unknown, ...odd];
  if (mistakes.length > 0) throw new SDKUsageError(method, mistakes.join('\n'));
}

/** The clock of a provider. Each method resolves with the clock's time after the call. */
class ControlOfClock {
  constructor(private readonly call: CallControl) {}

  async now(): Promise<Date> {
    return dateOf((await this.call(devControl.state, {})).clock);
  }

  /** Stops the clock, now or at that time. */
  async freeze(at?: Date | string): Promise<Date> {
    return this.change({ frozen: true, ...(at === undefined ? {} : { set: timestampOf(at) }) });
  }

  /** Resumes a frozen clock from its current time. */
  async run(): Promise<Date> {
    return this.change({ frozen: false });
  }

  /** Sets the clock to a time, as a `Date` or in the format of RFC 3339. It advances from there unless it is frozen. */
  async set(at: Date | string): Promise<Date> {
    return this.change({ set: timestampOf(at) });
  }

  /** Moves the clock: `move({ minutes: 5 })`, or back by negative numbers. */
  async move(by: TimeSpan): Promise<Date> {
    return this.change({ move_ms: millisecondsOf(by) });
  }

  /** Resets the clock to real time. */
  async reset(): Promise<Date> {
    return dateOf((await this.call(devControl.resetClock, {})).clock);
  }

  private async change(order: { set?: string; move_ms?: number; frozen?: boolean }): Promise<Date> {
    return dateOf((await this.call(devControl.clock, order)).clock);
  }
}

const dateOf = ({ now }: ControlledClock): Date => new Date(now);

/** Reverts the effect of a control call. */
export type Undo = () => Promise<void>;

/**
 * Controls time, faults, settings, users and snapshots of a provider that was started with `--dev`: see docs/testing.md. It runs in
 * tests and in pages, without a test runner. A method that rejects with a `ControlRefusal` has changed nothing.
 */
export class ProviderControl {
  readonly clock: ControlOfClock;
  private readonly call: CallControl;
  /** The settings that this control has overridden. */
  private readonly switched = new Set<string>();

  /** @param providerUrl such as `http://localhost:4100` */
  constructor(providerUrl: string, options: ControlOptions = {}) {
    this.call = callerOf(providerUrl, options);
    this.clock = new ControlOfClock(this.call);
  }

  async state(): Promise<ControlState> {
    return this.call(devControl.state, {});
  }

  /**
   * Reverts the changes of this control. With a scope: the time and the faults of the scope, and the settings that this control has
   * overridden. Without a scope: time, faults and settings of all requests. Users and snapshots stay.
   */
  async reset(): Promise<void> {
    if (this.switched.size > 0)
      await this.settings(Object.fromEntries(Array.from(this.switched, (name) => [name, null])));
    this.switched.clear();
    await this.call(devControl.reset, {});
  }

  /**
   * Makes a call fail with a type of the error catalogue. The call is given by its method and path, such as `POST
   * /sdk/v1/otps/authenticate`. `*` is every call, `* /v1/*` all calls of the backend API. The call has no effect.
   */
  async refuse(call: FaultyCall, refuse: RefusalType, options: FaultOptions = {}): Promise<Undo> {
    checkFault('refuse', options, ['times', 'retryAfterSeconds', 'delayMs']);
    const { retryAfterSeconds: retry_after_seconds, delayMs: delay_ms, times } = options;
    return this.fault({ call, refuse, ...compact({ retry_after_seconds, delay_ms, times }) });
  }

  /** Delays the responses of a call, by 1 to 60000 milliseconds of real time. */
  async delay(call: FaultyCall, milliseconds: number, options: Pick<Fault, 'times'> = {}): Promise<Undo> {
    checkFault('delay', options, ['times']);
    const { times } = options;
    return this.fault({ call, delay_ms: milliseconds, ...compact({ times }) });
  }

  /** Closes the connection of a call: `request` before it has any effect, `answer` after it, in place of the response. */
  async drop(call: FaultyCall, drop: 'request' | 'answer', options: Pick<Fault, 'times'> = {}): Promise<Undo> {
    checkFault('drop', options, ['times']);
    const { times } = options;
    return this.fault({ call, drop, ...compact({ times }) });
  }

  /** Removes the faults. */
  async clearFaults(): Promise<void> {
    await this.call(devControl.removeFaults, {});
  }

  /** Expires the passcodes and links that were sent to an email address or phone number, or all of them without one. */
  async expireCodes(to?: string): Promise<number> {
    return (await this.call(devControl.expireCodes, compact({ to }))).expired;
  }

  /** Sets the outcome of the next login with a built-in social account: denied by the user, or an error of the social provider. */
  async nextSocialLogin(next: SocialAnswer | null): Promise<void> {
    await this.call(devControl.social, next === null ? {} : { next });
  }

  /** Sets whether the protected calls require a captcha. Tokens that start with `test-captcha-` are accepted. */
  async captcha(required: boolean): Promise<void> {
    this.switched.add('captcha_settings');
    await this.call(devControl.captcha, { required });
  }

  /** Overrides settings of the project by their names in the project file; null restores one. The change is atomic. */
  async settings(settings: ProjectSettings): Promise<void> {
    await this.call(devControl.settings, { settings });
    for (const name of Object.keys(settings)) this.switched.add(name);
  }

  /** Creates a user, as after a sign-up. */
  async seed(person: PersonToSeed): Promise<SeededPerson>;
  /** Creates up to 100 users: all of them, or none. */
  async seed(people: readonly PersonToSeed[]): Promise<readonly SeededPerson[]>;
  async seed(people: PersonToSeed | readonly PersonToSeed[]): Promise<SeededPerson | readonly SeededPerson[]> {
    const isOne = !Array.isArray(people);
    const list = (isOne ? [people] : people) as readonly (PersonToSeed & Readonly<Record<string, unknown>>)[];
    const { users } = await this.call(devControl.seed, { users: list });
    return isOne ? (users[0] as SeededPerson) : users;
  }

  /**
   * Fills in what the project requires of a user and they lack, and accepts its terms, so that their next login asks for nothing. A field
   * gets its first option, or `Test`.
   */
  async completeProfile(user_id: string): Promise<void> {
    await this.call(devControl.completeProfile, {}, { user_id });
  }

  /** Stores a copy of all data under a name. An earlier copy of that name is replaced. */
  async snapshot(name = 'default'): Promise<Snapshot> {
    return (await this.call(devControl.takeSnapshot, { name })).snapshot;
  }

  /** Restores all data from the copy. */
  async restore(name = 'default'): Promise<Snapshot> {
    return (await this.call(devControl.restoreSnapshot, {}, { name })).snapshot;
  }

  async removeSnapshot(name = 'default'): Promise<void> {
    await this.call(devControl.removeSnapshot, {}, { name });
  }

  private async fault(fault: Fault): Promise<Undo> {
    const { fault_id } = await this.call(devControl.addFault, fault);
    return async () => {
      await this.call(devControl.removeFault, {}, { fault_id });
    };
  }
}

function compact<T extends object>(fields: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Field in keyof T]: Exclude<T[Field], undefined> };
}

/** The control of the provider at that address: `controlOf('http://localhost:4100').clock.move({ minutes: 5 })`. */
export function controlOf(providerUrl: string, options: ControlOptions = {}): ProviderControl {
  return new ProviderControl(providerUrl, options);
}
