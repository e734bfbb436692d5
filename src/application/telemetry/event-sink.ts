import type { Later } from '../../domain/later.ts';
import type { WidgetEvent } from '../../domain/screens/event.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import type { LoginConfig } from '../../domain/widget/widget-config.ts';

/** Receives the events of a widget. */
export interface EventSink {
  /** Logs a widget's event if it is one of the logged ones. `from` is the screen on which it happened. */
  note(event: WidgetEvent, from: Screen, config: LoginConfig): void;
  /** Sends the remaining events, and stops. */
  stop(): void;
}

const nothing = (): void => undefined;

/** Drops all events: used when the host turns telemetry off. */
export const NO_EVENTS: EventSink = { note: nothing, stop: nothing };

/** The most events that wait for the event log. */
const MAX_WAITING = 100;

/** Passes events to the event log, which arrives later. */
export function eventsTo<Services extends { readonly eventLog: EventSink }>(late: Later<Services>): EventSink {
  let noted = 0;
  return {
    note: (...event) => {
      if (late.value() !== null || (noted += 1) <= MAX_WAITING) late.pass(({ eventLog }) => eventLog.note(...event));
    },
    stop: () => late.pass(({ eventLog }) => eventLog.stop()),
  };
}
