import type { AuthError } from '../../domain/errors.ts';
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
import type { Logins } from '../services.ts';
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
  /** The server's origin. */
  readonly origin: string;
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
  private gone = false;
  /** Tells the host and the event log; null until its code is there, which is loaded beside the form. */
  private tell: ((step: Step) => void) | null = null;
  private readonly untold: Step[] = [];

  constructor(
    protected readonly parts: WidgetParts,
    protected options: Options,
    initial: Partial<WidgetState> = {},
  ) {
    const bootstrap = parts.project.lastKnown();
    this.store = new WidgetStore(parts.clock, { ...INITIAL_STATE, bootstrap, ...initial });
    this.store.step$.subscribe((step) => {
      if (this.tell) return this.tell(step);
      this.untold.push(step);
      this.loadTeller().catch(() => undefined);
    });
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
    this.gone = true;
  }

  /** What could not be loaded is tried again by the next event. */
  private async loadTeller(): Promise<void> {
    const { tellerOf } = await import('./effects/telling.ts');
    this.tell ??= tellerOf(
      this.parts,
      () => this.options,
      () => this.gone,
    );
    for (const step of this.untold.splice(0)) this.tell(step);
  }
}
