import { Recorder } from '#application/inspector/recorder.ts';
import { TRACE_CAPACITY, TraceLog, type Trace } from '#application/inspector/trace.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { insideOf, type InspectableClient } from './inspected-client.ts';

/** Options of `record`. */
export interface RecordOptions {
  /** The number of entries to keep: 1 to 100000. The oldest are dropped first. Default: 500. */
  readonly capacity?: number;
}

/** A running recording. */
export interface Recording {
  /** The trace so far. It contains no secrets and no personal data. */
  trace(): Trace;
  /** The trace as JSON text. */
  export(): string;
  /** Ends the recording and restores the client. It can be called repeatedly. */
  close(): void;
}

const MOST = 100_000;

/** Throws an `SDKUsageError` for an invalid number of entries. */
export function checkedCapacity(method: string, { capacity = TRACE_CAPACITY }: RecordOptions): number {
  if (Number.isInteger(capacity) && capacity >= 1 && capacity <= MOST) return capacity;
  throw new SDKUsageError(method, `capacity must be a whole number from 1 to ${MOST}`);
}

export const asJson = (trace: Trace): string => JSON.stringify(trace, null, 2);

/**
 * Records a client's screens, requests, events and session without a panel. Tests can print the trace of a failure. Throws an
 * `SDKUsageError` for an object that is not a client.
 */
export function record(client: InspectableClient, options: RecordOptions = {}): Recording {
  const log = new TraceLog(() => Date.now(), checkedCapacity('record', options));
  const recorder = new Recorder(insideOf(client), log, () => performance.now());
  return { trace: () => log.trace(), export: () => asJson(log.trace()), close: () => recorder.end() };
}
