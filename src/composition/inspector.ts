/** `portico/inspector`: shows a developer what a client does. For development builds and tests. */
export { inspect, type InspectOptions, type Inspector } from './inspector/inspect.ts';
export type { InspectableClient } from './inspector/inspected-client.ts';
export { record, type RecordOptions, type Recording } from './inspector/record.ts';
export { readTrace } from '#application/inspector/read-trace.ts';
export type { RedactedValue } from '#application/inspector/redacted-value.ts';
export type {
  ControlRecord,
  HostRecord,
  RequestRecord,
  SessionRecord,
  StepRecord,
  TabRecord,
  Trace,
  TraceEntry,
  TraceRecord,
  WidgetRecord,
} from '#application/inspector/trace.ts';
