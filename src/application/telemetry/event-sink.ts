import type { Later } from '#domain/later.ts';
import type { LoggableEvent } from '#domain/screens/events.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';

/** Receives the events of a widget. */
export interface EventSink {
  /** Logs a widget's event. `from` is the screen on which it happened. */
  note(event: LoggableEvent, from: Screen, config: LoginConfig): void;
  /** Sends the remaining events, and stops. */
  stop(): void;
}

/** Passes events to the event log, which is loaded later. */
export const eventsTo = <Services extends { readonly eventLog: EventSink }>(late: Later<Services>): EventSink => ({
  note: (...event) => late.pass(({ eventLog }) => eventLog.note(...event)),
  stop: () => late.pass(({ eventLog }) => eventLog.stop()),
});
