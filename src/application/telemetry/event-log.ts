import { Subscription } from 'rxjs';
import { isAuthError, retryAfterOf } from '../../domain/errors.ts';
import { parseJson } from '../../domain/json.ts';
import { loggedEvent, type LoggedError } from './logged-events.ts';
import type { LoggableEvent } from '../../domain/screens/events.ts';
import type { Screen } from '../../domain/screens/screen.ts';
import { hasShape } from '../../domain/shape.ts';
import type { LoginConfig } from '../../domain/widget/widget-config.ts';
import { events, type BodyFor } from '../api/index.ts';
import type { BrowserPort, ClockPort, OutboxPort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { EventSink } from './event-sink.ts';

const BATCH_SIZE = 15;
const BATCH_MS = 800;
/** The longest wait between two attempts while the server cannot be reached. */
const MAX_WAIT_MS = 300_000;
/** The most events that are kept in memory when the outbox cannot store them. */
const MAX_UNKEPT = 100;

/** True when the server refused the batch, so that sending it again is useless. */
function isRefused(error: unknown): boolean {
  if (!isAuthError(error) || error.kind === 'unreachable') return false;
  return error.kind !== 'api' || (error.status_code < 500 && error.status_code !== 429);
}

type Event = BodyFor<typeof events.log>[number];

/**
 * Sends named events in batches of at most 15 every 800 ms (specification, sections 7 and 9). The events wait in the outbox, so
 * that a redirect loses none. A batch that does not arrive is put back, and the wait is doubled; a batch that the server refuses
 * is dropped. Callers must not pass secrets.
 */
export class EventLog implements EventSink {
  /** The events of this page that are not in a batch yet. */
  private recent: Event[] = [];
  private unkept: Event[] = [];
  private cancel: (() => void) | null = null;
  /** The wait before the next batch, in milliseconds: longer while the server cannot be reached. */
  private waitMs = BATCH_MS;
  private readonly leaving = new Subscription();

  constructor(
    private readonly wire: WireClient,
    private readonly keys: ClientKeys,
    private readonly clock: ClockPort,
    private readonly outbox: OutboxPort,
    private readonly browser: BrowserPort,
  ) {}

  start(): void {
    this.leaving.add(this.browser.leaves$.subscribe(() => this.leave()));
    this.schedule();
  }

  note(event: LoggableEvent, from: Screen, config: LoginConfig): void {
    const logged = loggedEvent(event, from, config);
    if (logged) this.log(logged.name, logged.details, logged.error);
  }

  log(name: string, details: Readonly<Record<string, unknown>>, error?: LoggedError): void {
    const event = { public_token: this.keys.publicToken, event_name: name, details, ...error };
    const entry: Event = { telemetry: { ...this.wire.telemetry() }, event };
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
    if (!this.leaving.closed) this.cancel ??= this.clock.after(this.waitMs, () => void this.flush());
  }

  private async flush(): Promise<void> {
    this.unschedule();
    this.recent = [];
    const batch = this.unkept.splice(0, BATCH_SIZE);
    const kept = await this.outbox.take(BATCH_SIZE - batch.length);
    batch.push(...kept.map(parseJson).filter((entry): entry is Event => hasShape(events.log.body, entry)));
    if (batch.length === 0) return;
    if (batch.length === BATCH_SIZE) this.schedule();
    void this.send(batch, false);
  }

  /** Sends the latest events when the page is left, in a request that outlives the page. */
  private leave(): void {
    this.unschedule();
    const batch = this.recent.slice(-BATCH_SIZE);
    this.recent = [];
    // While the server cannot be reached, the events stay in the outbox for the next page.
    if (batch.length === 0 || this.waitMs > BATCH_MS) return;
    this.unkept = [];
    void this.forget(batch);
    void this.send(batch, true);
  }

  /** Removes the sent events from the outbox, and keeps the events of earlier pages. */
  private async forget(sent: readonly Event[]): Promise<void> {
    const texts = new Set(sent.map((entry) => JSON.stringify(entry)));
    for (const text of await this.outbox.take(MAX_UNKEPT)) if (!texts.has(text)) void this.outbox.add(text);
  }

  private async send(batch: readonly Event[], keepalive: boolean): Promise<void> {
    const before = this.waitMs;
    try {
      await this.wire.call(events.log, batch, { keepalive });
      this.waitMs = BATCH_MS;
    } catch (error) {
      if (isRefused(error)) return;
      this.waitMs = Math.max(Math.min(2 * before, MAX_WAIT_MS), retryAfterOf(error) ?? 0);
      for (const entry of batch) void this.keep(entry);
    }
    if (this.waitMs === before) return;
    this.unschedule();
    this.schedule();
  }

  private unschedule(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
