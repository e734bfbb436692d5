import type { EventType } from '#domain/widget/host-events.ts';
import type { WidgetEvent } from '#domain/screens/event.ts';
import type { ScreenName } from '#domain/screens/screen.ts';
import type { Endpoint } from '../api/index.ts';
import type { RedactedValue } from './redacted-value.ts';

export const TRACE_FORMAT = 'portico-trace';
export const TRACE_VERSION = 1;
/** The default number of entries to keep. The oldest are dropped first. */
export const TRACE_CAPACITY = 500;

export type WidgetName = 'login' | 'resetPassword' | 'passkeyRegistration' | 'account' | 'identityProvider';
type Fields = { readonly [field: string]: RedactedValue };

/** A widget was shown or removed. */
export interface WidgetRecord {
  readonly kind: 'widget';
  readonly widget: WidgetName;
  readonly change: 'mounted' | 'unmounted';
  readonly screen: ScreenName;
}

/**
 * An event that a widget received: an intent of the user, or an outcome. `effect` is `moved` when the screen changed, `changed` when
 * only its data did, `ignored` when nothing did, and `held back` when the intent was dropped because a request was pending or its
 * target was gone.
 */
export interface StepRecord {
  readonly kind: 'intent' | 'outcome';
  readonly widget: WidgetName;
  readonly type: WidgetEvent['type'];
  readonly from: ScreenName;
  readonly to: ScreenName;
  readonly effect: 'moved' | 'changed' | 'ignored' | 'held back';
  readonly data: Fields;
}

/** A wire call that completed or failed. `path` has the names of its parameters, not their values. */
export interface RequestRecord {
  readonly kind: 'request';
  readonly call: string;
  readonly method: Endpoint['method'];
  readonly path: string;
  /** Milliseconds from the call to its end. */
  readonly ms: number;
  /** Null without a response. */
  readonly status: number | null;
  readonly request_id: string | null;
  /** The error's type, else its kind or the reason for a missing response. Null for a success. */
  readonly error_type: string | null;
  readonly sent: RedactedValue;
  readonly received: RedactedValue;
}

/** A report to the host through `onEvent` or `onError`. */
export interface HostRecord {
  readonly kind: 'event';
  readonly widget: WidgetName;
  readonly type: EventType | 'onError';
  readonly data: Fields;
}

/** The session was restored, began, changed or ended. */
export interface SessionRecord {
  readonly kind: 'session';
  readonly change: 'found' | 'began' | 'changed' | 'ended';
  readonly factors: readonly string[];
  /** The remaining lifetime of the session, in milliseconds; null without a session. */
  readonly left_ms: number | null;
}

/** A tab refreshed the session at the server, for all tabs. */
export interface TabRecord {
  readonly kind: 'refresh';
  readonly by: 'this tab' | 'another tab';
}

/** The developer used a button of the inspector. */
export interface ControlRecord {
  readonly kind: 'control';
  readonly action: string;
  readonly outcome: string;
}

/** One entry of a trace, without its number and time. */
export type TraceRecord =
  | WidgetRecord
  | StepRecord
  | RequestRecord
  | HostRecord
  | SessionRecord
  | TabRecord
  | ControlRecord;

/** `at` is milliseconds since the trace began; `n` counts from 1 without gaps, except for dropped oldest entries. */
export type TraceEntry = { readonly n: number; readonly at: number } & TraceRecord;

/** An exported trace. It contains no secrets. */
export interface Trace {
  readonly format: typeof TRACE_FORMAT;
  readonly version: typeof TRACE_VERSION;
  /** The start of the recording (RFC 3339). */
  readonly began_at: string;
  /** The number of dropped entries; only the newest are kept. */
  readonly dropped: number;
  readonly entries: readonly TraceEntry[];
}

/** The newest entries, oldest first. */
export class TraceLog {
  private entries: TraceEntry[] = [];
  private count = 0;
  private readonly began: number;
  private readonly listeners = new Set<() => void>();
  private readonly newest = new Map<TraceEntry['kind'], TraceEntry>();

  /** @param now returns milliseconds since 1970, from a clock that the inspector does not move */
  constructor(
    private readonly now: () => number,
    private readonly capacity: number = TRACE_CAPACITY,
  ) {
    this.began = now();
  }

  add(record: TraceRecord): void {
    this.count += 1;
    const entry: TraceEntry = { n: this.count, at: Math.round(this.now() - this.began), ...record };
    this.entries.push(entry);
    this.newest.set(entry.kind, entry);
    if (this.entries.length > this.capacity) this.entries.shift();
    for (const listener of this.listeners) listener();
  }

  clear(): void {
    this.entries = [];
    for (const listener of this.listeners) listener();
  }

  /** The newest entry of a kind, even if it has been dropped; null when there was none. */
  latest<Kind extends TraceEntry['kind']>(kind: Kind): Extract<TraceEntry, { readonly kind: Kind }> | null {
    return (this.newest.get(kind) as Extract<TraceEntry, { readonly kind: Kind }> | undefined) ?? null;
  }

  trace(): Trace {
    return {
      format: TRACE_FORMAT,
      version: TRACE_VERSION,
      began_at: new Date(this.began).toISOString(),
      dropped: this.count - this.entries.length,
      entries: [...this.entries],
    };
  }

  /** Calls back after each entry. Returns a function that unsubscribes. */
  onEntry(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
