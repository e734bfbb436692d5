import type { Later } from '../../domain/later.ts';
import type { LoggableEvent } from '../../domain/screens/events.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import type { LoginConfig } from '../../domain/widget/widget-config.ts';

/** Receives the events of a widget. */
export interface EventSink {
  /** Logs a widget's event. `from` is the screen on which it happened. */
  note(event: LoggableEvent, from: Screen, config: LoginConfig): void;
  /** Sends the remaining events, and stops. */
  stop(): void;
}

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
