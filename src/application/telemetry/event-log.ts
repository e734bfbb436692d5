import { events } from '../api/index.ts';
import type { ClockPort } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { RequestHeaders, TelemetryContext } from '../wire/request-headers.ts';
import type { WireClient } from '../wire/wire-client.ts';

const BATCH_SIZE = 15;
const BATCH_MS = 800;

type Logged = { readonly telemetry: Readonly<Record<string, unknown>> & TelemetryContext; readonly event: object };

/**
 * Named things that happened, sent in batches of at most 15 every 800 ms (specification, sections 7 and 9). A batch that
 * does not arrive is dropped. Callers pass no secret.
 */
export class EventLog {
  private waiting: Logged[] = [];
  private cancel: (() => void) | null = null;

  constructor(
    private readonly wire: WireClient,
    private readonly headers: RequestHeaders,
    private readonly clock: ClockPort,
    private readonly keys: ClientKeys,
  ) {}

  log(event_name: string, details: Readonly<Record<string, unknown>>): void {
    const event = { public_token: this.keys.publicToken, event_name, details };
    this.waiting.push({ telemetry: { ...this.headers.telemetry() }, event });
    if (this.waiting.length >= BATCH_SIZE) this.flush();
    else this.cancel ??= this.clock.after(BATCH_MS, () => this.flush());
  }

  /** Sends what is waiting now. */
  flush(): void {
    this.cancel?.();
    this.cancel = null;
    const batch = this.waiting;
    this.waiting = [];
    if (batch.length > 0) this.wire.call(events.log, batch as never).catch(() => undefined);
  }
}
