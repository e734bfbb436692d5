import type { WidgetEvent } from '../../domain/screens/event.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import type { LoginConfig } from '../../domain/widget/widget-config.ts';

/** Receives named events. */
export interface EventSink {
  log(name: string, details: Readonly<Record<string, unknown>>): void;
  /** Logs a widget's event if it is one of the logged ones. `from` is the screen on which it happened. */
  note(event: WidgetEvent, from: Screen, config: LoginConfig): void;
  /** Sends the remaining events, and stops. */
  stop(): void;
}

const nothing = (): void => undefined;

/** Drops all events: used when the host turns telemetry off. */
export const NO_EVENTS: EventSink = { log: nothing, note: nothing, stop: nothing };

/** The most events that wait for the event log. */
const MAX_WAITING = 100;

/** Keeps events until the event log is loaded. */
export class WaitingEvents implements EventSink {
  private sink: EventSink | null = null;
  private waiting: ((sink: EventSink) => void)[] = [];

  /** Passes the waiting events, and all later ones, to the event log. */
  passTo(log: EventSink & { start(): void }): void {
    this.sink = log;
    log.start();
    for (const act of this.waiting.splice(0)) act(log);
  }

  log(name: string, details: Readonly<Record<string, unknown>>): void {
    this.act((sink) => sink.log(name, details));
  }

  note(event: WidgetEvent, from: Screen, config: LoginConfig): void {
    this.act((sink) => sink.note(event, from, config));
  }

  stop(): void {
    this.act((sink) => sink.stop());
  }

  private act(act: (sink: EventSink) => void): void {
    if (this.sink) act(this.sink);
    else this.waiting = [...this.waiting, act].slice(-MAX_WAITING);
  }
}
