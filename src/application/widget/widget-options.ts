import type { AuthError } from '#domain/errors.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { HostEvent } from './host-event.ts';

/** The host's callbacks. One that throws is logged and does not disturb the widget. */
export interface WidgetCallbacks {
  /** Called for every step of the user. `type` names the step. */
  readonly onEvent?: (event: HostEvent) => void;
  /** Called for every error of a request. The widget also shows it. */
  readonly onError?: (error: AuthError) => void;
}

/** The host's options, which a remount may change. */
export interface WidgetOptions {
  readonly config: LoginConfig;
  readonly callbacks: WidgetCallbacks;
}

/** The options of a reset page. */
export interface ResetOptions extends WidgetOptions {
  /** The token of the emailed link. */
  readonly token: string;
}
