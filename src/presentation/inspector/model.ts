import type { Actions } from '../../application/inspector/actions.ts';
import type { ShownWidget } from '../../application/inspector/recorder.ts';
import type { Trace, TraceLog } from '../../application/inspector/trace.ts';
import type { SessionTimes } from '../../application/inspector/watch-session.ts';

/** What the panel shows, and what its buttons do. */
export interface PanelModel {
  readonly log: TraceLog;
  readonly actions: Actions;
  /** The mounted widgets; the last is the newest. */
  widgets(): readonly ShownWidget[];
  session(): SessionTimes | null;
  /** Milliseconds since 1970, by the client's clock. */
  now(): number;
  /** How many tabs have the inspector open; null where the browser cannot tell. */
  tabs(): Promise<number | null>;
  exported(): string;
  /** The trace in a file. Throws an `SDKUsageError` that says what is wrong with it. */
  read(text: string): Trace;
}

/** A part of the panel, which is told to show the present state. */
export interface Section {
  readonly element: HTMLElement;
  show(): void;
}
