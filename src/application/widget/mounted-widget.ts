import { hostEvents } from '../../domain/host-events.ts';
import type { AuthError } from '../../domain/errors.ts';
import { loggedEvent } from '../../domain/logged-events.ts';
import { INITIAL_STATE, type WidgetState } from '../../domain/screens/widget-state.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';
import type { BrowserPort, ClockPort, LogPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { SessionRefresher } from '../session/session-refresher.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { EventSink } from '../telemetry/event-sink.ts';
import type { Project } from '../use-cases/project.ts';
import type { SessionLifecycle } from '../use-cases/session-lifecycle.ts';
import type { UserAccount } from '../use-cases/user-account.ts';
import type { Logins } from './logins.ts';
import type { HostEvent } from './host-event.ts';
import { WidgetStore, type Effect, type Step } from './widget-store.ts';

/** What a host hears of a widget. A callback that throws does no harm. */
export interface WidgetCallbacks {
  readonly onEvent?: (event: HostEvent) => void;
  readonly onError?: (error: AuthError) => void;
}

/** What a widget stands on. */
export interface WidgetParts {
  /** The use cases, which load when they are first needed, or a little before. */
  readonly logins: () => Promise<Logins>;
  readonly publicToken: string;
  readonly keys: ClientKeys;
  readonly project: Project;
  readonly sessions: SessionStore;
  readonly lifecycle: SessionLifecycle;
  readonly account: UserAccount;
  readonly refresher: SessionRefresher;
  readonly eventLog: EventSink;
  readonly storage: StoragePort;
  /** What ends with the tab. */
  readonly tabStorage: StoragePort;
  readonly browser: BrowserPort;
  readonly clock: ClockPort;
  readonly log: LogPort;
}

/** What the host said, which a remount may change. */
export interface WidgetOptions {
  readonly config: LoginConfig;
  readonly callbacks: WidgetCallbacks;
}

/** The state and behaviour of one widget, without its looks. */
export abstract class MountedWidget<Options extends WidgetOptions = WidgetOptions> {
  readonly store: WidgetStore;

  constructor(
    protected readonly parts: WidgetParts,
    protected options: Options,
    initial: Partial<WidgetState> = {},
  ) {
    const bootstrap = parts.project.lastKnown();
    this.store = new WidgetStore(parts.clock, { ...INITIAL_STATE, bootstrap, ...initial });
    this.store.step$.subscribe((step) => this.tell(step));
    this.store.run(this.effects());
    // By the time somebody has acted, the code that answers is there.
    parts.logins().catch(() => undefined);
  }

  protected abstract effects(): readonly Effect[];

  /** Takes over what the host says anew; the screen stays. */
  configure(options: Options): void {
    this.options = options;
  }

  destroy(): void {
    this.store.destroy();
  }

  /** Calls the host back. What it throws is logged and goes no further. */
  protected safely(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.parts.log.error('A callback of the widget threw.', error);
    }
  }

  private tell({ event, before, after }: Step): void {
    const { callbacks, config } = this.options;
    const logged = loggedEvent(event, before.screen, config);
    if (logged) this.parts.eventLog.log(logged.name, logged.details);
    for (const hostEvent of hostEvents(event, after.screen.name)) {
      this.safely(() => callbacks.onEvent?.(hostEvent as HostEvent));
    }
    if (event.type === 'failed' || event.type === 'reported') this.safely(() => callbacks.onError?.(event.error));
  }
}
