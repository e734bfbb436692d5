import { Subscription } from 'rxjs';
import { parseJson } from '../../domain/json.ts';
import { hasShape } from '../../domain/shape.ts';
import { events, type BodyFor } from '../api/index.ts';
import type { BrowserPort, ClockPort, OutboxPort } from '../ports/index.ts';
import type { ClientKeys } from '../session/client-keys.ts';
import type { RequestHeaders } from '../wire/request-headers.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { EventSink } from './event-sink.ts';

const BATCH_SIZE = 15;
const BATCH_MS = 800;
/** How many events wait at most when there is no store to keep them. */
const MAX_UNKEPT = 100;

const nothing = (): void => undefined;

type Event = BodyFor<typeof events.log>[number];

/**
 * Named things that happened, sent in batches of at most 15 every 800 ms (specification, sections 7 and 9). They wait in
 * the outbox, so that a redirect loses none. A batch that does not arrive is dropped. Callers pass no secret.
 */
export class EventLog implements EventSink {
  /** Logged in this page, and not yet in a batch. */
  private recent: Event[] = [];
  private unkept: Event[] = [];
  private cancel: (() => void) | null = null;
  private readonly leaving = new Subscription();

  constructor(
    private readonly wire: WireClient,
    private readonly headers: RequestHeaders,
    private readonly keys: ClientKeys,
    private readonly clock: ClockPort,
    private readonly outbox: OutboxPort,
    private readonly browser: BrowserPort,
  ) {}

  start(): void {
    this.leaving.add(this.browser.leaves$.subscribe(() => this.leave()));
    this.schedule();
  }

  log(name: string, details: Readonly<Record<string, unknown>>): void {
    const event = { public_token: this.keys.publicToken, event_name: name, details };
    const entry: Event = { telemetry: { ...this.headers.telemetry() }, event };
    this.recent.push(entry);
    void this.keep(entry);
    this.schedule();
  }

  stop(): void {
    this.leaving.unsubscribe();
    this.leave();
  }

  private async keep(entry: Event): Promise<void> {
    if (await this.outbox.add(JSON.stringify(entry))) return;
    this.unkept = [...this.unkept, entry].slice(-MAX_UNKEPT);
  }

  private schedule(): void {
    if (!this.leaving.closed) this.cancel ??= this.clock.after(BATCH_MS, () => void this.flush());
  }

  private async flush(): Promise<void> {
    this.unschedule();
    this.recent = [];
    const batch = this.unkept.splice(0, BATCH_SIZE);
    const kept = await this.outbox.take(BATCH_SIZE - batch.length);
    batch.push(...kept.map(parseJson).filter((entry): entry is Event => hasShape(events.log.body, entry)));
    if (batch.length === 0) return;
    if (batch.length === BATCH_SIZE) this.schedule();
    this.send(batch, false);
  }

  /** The page goes away: what it logged last goes out in a request that outlives it. */
  private leave(): void {
    this.unschedule();
    const batch = this.recent.slice(-BATCH_SIZE);
    this.recent = [];
    if (batch.length === 0) return;
    this.unkept = [];
    void this.forget(batch);
    this.send(batch, true);
  }

  /** Takes out of the outbox what has been sent, and leaves there what an earlier page left behind. */
  private async forget(sent: readonly Event[]): Promise<void> {
    const texts = new Set(sent.map((entry) => JSON.stringify(entry)));
    for (const text of await this.outbox.take(MAX_UNKEPT)) if (!texts.has(text)) void this.outbox.add(text);
  }

  private send(batch: readonly Event[], keepalive: boolean): void {
    this.wire.call(events.log, batch, { keepalive }).catch(nothing);
  }

  private unschedule(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
