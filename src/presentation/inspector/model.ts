import type { Actions } from '#application/inspector/actions.ts';
import type { ShownWidget } from '#application/inspector/recorder.ts';
import type { Trace, TraceLog } from '#application/inspector/trace.ts';
import type { SessionTimes } from '#application/inspector/watch-session.ts';

/** The data of the panel, and the actions of its buttons. */
export interface PanelModel {
  readonly log: TraceLog;
  readonly actions: Actions;
  /** The mounted widgets; the last is the newest. */
  widgets(): readonly ShownWidget[];
  session(): SessionTimes | null;
  /** Milliseconds since 1970, by the client's clock. */
  now(): number;
  /** The number of tabs with an open inspector; null when the browser cannot count them. */
  tabs(): Promise<number | null>;
  exported(): string;
  /** Reads the trace in a file. Throws an `SDKUsageError` that names the problem. */
  read(text: string): Trace;
}

/** A section of the panel. `show` renders the present state. */
export interface Section {
  readonly element: HTMLElement;
  show(): void;
}
