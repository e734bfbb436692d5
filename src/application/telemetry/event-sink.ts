import type { WidgetEvent } from '../../domain/screens/event.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import type { LoginConfig } from '../../domain/widget-config.ts';

/** Where named events go. */
export interface EventSink {
  log(name: string, details: Readonly<Record<string, unknown>>): void;
  /** Logs what is to be logged of a widget's event. `from` is the screen that it happened on. */
  note(event: WidgetEvent, from: Screen, config: LoginConfig): void;
  /** Sends what this page has not sent yet, and ends. */
  stop(): void;
}

const nothing = (): void => undefined;

/** Where they go when the host wants no telemetry: nowhere. */
export const NO_EVENTS: EventSink = { log: nothing, note: nothing, stop: nothing };

/** How many events wait at most for the event log. */
const MAX_WAITING = 100;

/** Stands for the event log until that is loaded; what happens before waits for it. */
export class WaitingEvents implements EventSink {
  private sink: EventSink | null = null;
  private waiting: ((sink: EventSink) => void)[] = [];

  /** The event log is there: it takes over what waits, and all that follows. */
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
