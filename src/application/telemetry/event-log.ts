import { events, type BodyFor } from '../api/index.ts';
import type { ClockPort } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { RequestHeaders } from '../wire/request-headers.ts';
import type { WireClient } from '../wire/wire-client.ts';

const BATCH_SIZE = 15;
const BATCH_MS = 800;

/** Where named events go. */
export interface EventSink {
  log(name: string, details: Readonly<Record<string, unknown>>): void;
  /** Sends what is waiting now. */
  flush(): void;
}

/** Where they go when the host wants no telemetry: nowhere. */
export const NO_EVENTS: EventSink = { log: () => undefined, flush: () => undefined };

type Batch = BodyFor<typeof events.log>;

/**
 * Named things that happened, sent in batches of at most 15 every 800 ms (specification, sections 7 and 9). A batch that
 * does not arrive is dropped. Callers pass no secret.
 */
export class EventLog implements EventSink {
  private waiting: Batch[number][] = [];
  private cancel: (() => void) | null = null;

  constructor(
    private readonly wire: WireClient,
    private readonly headers: RequestHeaders,
    private readonly clock: ClockPort,
    private readonly keys: ClientKeys,
  ) {}

  log(name: string, details: Readonly<Record<string, unknown>>): void {
    const event = { public_token: this.keys.publicToken, event_name: name, details };
    this.waiting.push({ telemetry: { ...this.headers.telemetry() }, event });
    if (this.waiting.length >= BATCH_SIZE) this.flush();
    else this.cancel ??= this.clock.after(BATCH_MS, () => this.flush());
  }

  flush(): void {
    this.cancel?.();
    this.cancel = null;
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length > 0) this.wire.call(events.log, batch).catch(() => undefined);
  }
}
