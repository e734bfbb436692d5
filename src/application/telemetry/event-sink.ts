/** Where named events go. */
export interface EventSink {
  /** Begins to send, with what the last page left behind. */
  start(): void;
  log(name: string, details: Readonly<Record<string, unknown>>): void;
  /** Sends what this page has not sent yet, and ends. */
  stop(): void;
}

const nothing = (): void => undefined;

/** Where they go when the host wants no telemetry: nowhere. */
export const NO_EVENTS: EventSink = { start: nothing, log: nothing, stop: nothing };
