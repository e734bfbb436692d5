import { sentOtpOf, type Screen } from '#domain/screens/screen.ts';
import { devControl } from '../dev-control/dev-control.ts';
import { ControlError, type ControlPort } from './control-port.ts';
import type { OfflineSwitch } from './offline-switch.ts';
import type { ShiftedClock } from './shifted-clock.ts';
import type { TraceLog } from './trace.ts';
import type { WatchedSession } from './watch-session.ts';

/** The actions behind the inspector's buttons. */
export type Action =
  | 'expire code'
  | 'go offline'
  | 'go online'
  | 'limit rate'
  | 'end limit'
  | 'deny login'
  | 'set back';
/** The target of a clock move: a forward offset in milliseconds, or an event of the session. */
export type ClockMove = number | 'next refresh' | 'end of session';

export interface ActionParts {
  readonly control: ControlPort | null;
  /** The reason why `control` is missing; empty when there is one. */
  readonly noControl: string;
  readonly offline: OfflineSwitch;
  readonly clock: ShiftedClock;
  readonly session: WatchedSession;
  readonly now: () => number;
  readonly screen: () => Screen | null;
  readonly log: TraceLog;
  /** Notifies the client and the page that the network is offline, or online again. */
  readonly announce: (online: boolean) => void;
  /** Runs the client's tasks that became due during sleep. */
  readonly wake: () => void;
}

const LIMITED_CALLS = '* /sdk/v1/*';
const LIMIT = 'too_many_requests';
const RETRY_AFTER_SECONDS = 30;
/** A margin past the exact time, because the clocks are read at different moments. */
const PAST_MS = 1_000;

/** The address or phone number to which the screen's passcode or link was sent. */
function addressOf(screen: Screen | null): string | null {
  if (screen === null || screen.name === 'Main') return null;
  return sentOtpOf(screen)?.destination ?? ('email' in screen ? (screen.email ?? null) : null);
}

/** Triggers states that are slow to reach. The trace records each action with its outcome. */
export class Actions {
  /** The id of the fault that fails all calls. A promise, because the provider may respond slowly. */
  private limit: Promise<string> | null = null;
  private providerMovedMs = 0;
  /** The reason why the provider cannot be controlled: empty when it can, null while the check is pending. */
  private missing: string | null;

  constructor(private readonly parts: ActionParts) {
    this.missing = parts.control === null ? parts.noControl : null;
  }

  /** Checks whether the provider can be controlled. */
  async find(): Promise<void> {
    const { control } = this.parts;
    if (control === null) return;
    try {
      const { clock, faults } = await control.call(devControl.state, {});
      // The page may have been reloaded in the meantime.
      const limit = faults.find(({ call, refuse }) => call === LIMITED_CALLS && refuse === LIMIT);
      this.limit = limit === undefined ? null : Promise.resolve(limit.fault_id);
      this.providerMovedMs = clock.moved_ms;
      this.missing = '';
    } catch {
      this.missing = `The provider at ${control.origin} has no /dev/control. Start it with --dev.`;
    }
  }

  get isOffline(): boolean {
    return this.parts.offline.isOffline;
  }

  get isLimited(): boolean {
    return this.limit !== null;
  }

  /** The offset of each clock from real time, in milliseconds. `provider` is null when that clock cannot be moved. */
  get clocks(): { readonly client: number; readonly provider: number | null } {
    return { client: this.parts.clock.movedMs, provider: this.missing === '' ? this.providerMovedMs : null };
  }

  /** The reason why an action is unavailable; null when it is available. */
  blocked(action: Action): string | null {
    if (action === 'go offline' || action === 'go online' || action === 'set back') return null;
    if (this.missing !== '') return this.missing ?? 'Looking for /dev/control …';
    if (action === 'expire code' && addressOf(this.parts.screen()) === null)
      return 'No screen waits for a code or a link.';
    return null;
  }

  /** Resolves with a sentence that describes the result. Never rejects. */
  run(action: Action): Promise<string> {
    return this.record(action, () => this.perform(action));
  }

  /** Moves the provider's clock if it can be controlled, then this client's clock. */
  move(move: ClockMove): Promise<string> {
    return this.record('move clock', async () => {
      const ms = this.distance(move);
      if (ms === null) return 'Nobody is signed in.';
      const { control, clock, wake } = this.parts;
      const both = control !== null && this.missing === '';
      if (both) this.providerMovedMs = (await control.call(devControl.clock, { move_ms: ms })).clock.moved_ms;
      clock.move(ms);
      wake();
      return both ? "The provider's clock and this client's were moved." : "Only this client's clock was moved.";
    });
  }

  /**
   * Reverts everything that affects this client and its later requests. The provider's clock stays moved, because other clients use
   * it too.
   */
  end(): void {
    if (this.isOffline) this.goOnline();
    if (this.limit !== null) void this.removeLimit().catch(() => undefined);
    this.parts.clock.end();
  }

  private distance(move: ClockMove): number | null {
    if (typeof move === 'number') return move;
    const times = this.parts.session.times();
    const at = move === 'next refresh' ? times?.nextRefreshAt : times?.endsAt;
    return at === null || at === undefined ? null : Math.max(0, Math.ceil(at - this.parts.now())) + PAST_MS;
  }

  private async record(action: string, perform: () => Promise<string> | string): Promise<string> {
    let outcome = '';
    try {
      outcome = await perform();
    } catch (error) {
      outcome = error instanceof ControlError ? error.message : 'That did not work.';
    }
    this.parts.log.add({ kind: 'control', action, outcome });
    return outcome;
  }

  private async perform(action: Action): Promise<string> {
    const { offline, announce } = this.parts;
    const blocked = this.blocked(action);
    if (blocked !== null) return blocked;
    switch (action) {
      case 'go offline':
        offline.goOffline();
        announce(false);
        return 'Requests of this client fail as they do without a network.';
      case 'go online':
        this.goOnline();
        return 'Requests of this client are sent again.';
      case 'expire code': {
        const { expired } = await this.control.call(devControl.expireCodes, {
          to: addressOf(this.parts.screen()) ?? '',
        });
        return expired === 1 ? 'One code or link has expired.' : `${expired} codes and links have expired.`;
      }
      case 'limit rate': {
        await (this.limit ??= this.addLimit());
        return 'The provider refuses every request with 429.';
      }
      case 'end limit':
        await this.removeLimit();
        return 'The provider answers again.';
      case 'deny login':
        await this.control.call(devControl.social, { next: 'deny' });
        return 'The next social login is denied at the provider.';
      case 'set back':
        return this.setBack();
    }
  }

  private get control(): ControlPort {
    const { control } = this.parts;
    if (control === null) throw new ControlError(this.parts.noControl);
    return control;
  }

  private goOnline(): void {
    this.parts.offline.goOnline();
    this.parts.announce(true);
  }

  private async addLimit(): Promise<string> {
    try {
      const fault = { call: LIMITED_CALLS, refuse: LIMIT, retry_after_seconds: RETRY_AFTER_SECONDS };
      return (await this.control.call(devControl.addFault, fault)).fault_id;
    } catch (error) {
      this.limit = null;
      throw error;
    }
  }

  private async removeLimit(): Promise<void> {
    const limit = this.limit;
    this.limit = null;
    if (limit !== null) await this.control.call(devControl.removeFault, {}, { fault_id: await limit });
  }

  private async setBack(): Promise<string> {
    if (this.isOffline) this.goOnline();
    const both = this.missing === '';
    if (both) {
      // A pending request would arrive after the reset.
      await this.limit?.catch(() => undefined);
      this.providerMovedMs = (await this.control.call(devControl.reset, {})).clock.moved_ms;
      this.limit = null;
    }
    this.parts.clock.end();
    this.parts.wake();
    return both ? 'The provider and this client are as they were.' : 'This client is as it was.';
  }
}
