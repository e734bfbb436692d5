import type { WidgetEvent } from '../../domain/screens/event.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';

/** Where named events go. */
export interface EventSink {
  /** Begins to send, with what the last page left behind. */
  start(): void;
  log(name: string, details: Readonly<Record<string, unknown>>): void;
  /** Logs what is to be logged of a widget's event. `from` is the screen that it happened on. */
  note(event: WidgetEvent, from: Screen, config: LoginConfig): void;
  /** Sends what this page has not sent yet, and ends. */
  stop(): void;
}

const nothing = (): void => undefined;

/** Where they go when the host wants no telemetry: nowhere. */
export const NO_EVENTS: EventSink = { start: nothing, log: nothing, note: nothing, stop: nothing };
