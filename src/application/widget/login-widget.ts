import { hostEvents, type HostEvent } from '../../domain/host-events.ts';
import type { AuthError } from '../../domain/errors.ts';
import { loggedEvent } from '../../domain/logged-events.ts';
import { INITIAL_STATE } from '../../domain/screens/widget-state.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';
import type { ClockPort, LogPort } from '../ports/index.ts';
import type { SessionRefresher } from '../session/session-refresher.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { EventSink } from '../telemetry/event-sink.ts';
import type { Project } from '../use-cases/project.ts';
import { magicLinkEffect } from './effects/magic-link.ts';
import { otpEffects } from './effects/otp.ts';
import { bootstrapEffect, checkingEffect, signedInEffect } from './effects/surroundings.ts';
import type { Logins } from './logins.ts';
import { WidgetStore, type Step } from './widget-store.ts';

/** What a host hears of a widget. A callback that throws does no harm. */
export interface WidgetCallbacks {
  readonly onEvent?: (event: HostEvent) => void;
  readonly onError?: (error: AuthError) => void;
}

/** What a login widget stands on. */
export interface LoginWidgetParts {
  /** The logins, which load when they are first needed, or a little before. */
  readonly logins: () => Promise<Logins>;
  readonly project: Project;
  readonly sessions: SessionStore;
  readonly refresher: SessionRefresher;
  readonly eventLog: EventSink;
  readonly clock: ClockPort;
  readonly log: LogPort;
}

/** What the host said, which a remount may change. */
export interface LoginWidgetOptions {
  readonly config: LoginConfig;
  readonly callbacks: WidgetCallbacks;
}

/** The state and behaviour of one login widget, without its looks. */
export class LoginWidget {
  readonly store: WidgetStore;

  constructor(
    private readonly parts: LoginWidgetParts,
    private options: LoginWidgetOptions,
  ) {
    const { logins, project, sessions, refresher, clock } = parts;
    const config = (): LoginConfig => this.options.config;
    this.store = new WidgetStore(clock, { ...INITIAL_STATE, bootstrap: project.lastKnown() });
    this.store.step$.subscribe((step) => this.tell(step));
    this.store.run([
      magicLinkEffect(logins, config),
      ...otpEffects(logins, clock, config),
      signedInEffect(sessions.session$),
      checkingEffect(refresher.checking$),
      bootstrapEffect(project),
    ]);
    // By the time somebody has typed an address, the code that sends it is there.
    logins().catch(() => undefined);
  }

  /** Takes over what the host says anew; the screen stays. */
  configure(options: LoginWidgetOptions): void {
    this.options = options;
  }

  destroy(): void {
    this.store.destroy();
  }

  private tell({ event, before, after }: Step): void {
    const { callbacks, config } = this.options;
    const logged = loggedEvent(event, before.screen, config);
    if (logged) this.parts.eventLog.log(logged.name, logged.details);
    for (const hostEvent of hostEvents(event, after.screen.name)) this.safely(() => callbacks.onEvent?.(hostEvent));
    if (event.type === 'failed') this.safely(() => callbacks.onError?.(event.error));
  }

  private safely(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.parts.log.error('A callback of the widget threw.', error);
    }
  }
}
