import { Subscription } from 'rxjs';
import { isAuthError, retryAfterOf } from '#domain/errors.ts';
import { parseJson } from '#domain/json.ts';
import { loggedEvent, type LoggedError } from './logged-events.ts';
import type { LoggableEvent } from '#domain/screens/events.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { hasShape } from '#domain/shape.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { events, type BodyFor } from '../api/index.ts';
import type { BrowserPort, ClockPort, OutboxPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { EventSink } from './event-sink.ts';

const BATCH_SIZE = 15;
const BATCH_MS = 800;
/** The longest wait between two attempts while the server cannot be reached. */
const MAX_WAIT_MS = 300_000;
/** The most events that wait in memory. */
const MAX_RECENT = 100;

/** True if the server refused the batch, so that sending it again is useless. */
function isRefused(error: unknown): boolean {
  if (!isAuthError(error) || error.kind === 'unreachable') return false;
  return error.kind !== 'api' || (error.status_code < 500 && error.status_code !== 429);
}

type Event = BodyFor<typeof events.log>[number];

/**
 * The event in its stored form, without a person's address. It may be stored for a long time, for example if something blocks the event
 * URL, and others may use the browser after a log-out.
 */
const storedText = (entry: Event): string =>
  JSON.stringify(entry, (key, value: unknown) => (key === 'email' ? undefined : value));

/**
 * Sends named events in batches of at most 15 every 800 ms (specification, sections 7 and 9), and when the page is left. If a batch does
 * not arrive, it and later events wait in the outbox, and the interval is doubled. A batch that the server refuses is dropped. Callers must
 * not pass secrets.
 */
export class EventLog implements EventSink {
  /** The events of this page that are neither sent nor in the outbox. */
  private recent: Event[] = [];
  private cancel: (() => void) | null = null;
  /** The wait before the next batch, in milliseconds: longer while the server cannot be reached. */
  private waitMs = BATCH_MS;
  private readonly leaving = new Subscription();
  /** The storage key that is set while the outbox has texts, so that most pages need not open it. */
  private readonly mark: string;

  constructor(
    private readonly wire: WireClient,
    private readonly keys: ClientKeys,
    private readonly clock: ClockPort,
    private readonly storage: StoragePort,
    private readonly outbox: OutboxPort,
    private readonly browser: BrowserPort,
  ) {
    this.mark = keys.storage('outbox');
  }

  start(): void {
    this.leaving.add(this.browser.leaves$.subscribe(() => this.leave()));
    if (this.storage.get(this.mark) !== null) this.schedule();
  }

  note(event: LoggableEvent, from: Screen, config: LoginConfig): void {
    const logged = loggedEvent(event, from, config);
    if (logged) this.log(logged.name, logged.details, logged.error);
  }

  log(name: string, details: Readonly<Record<string, unknown>>, error?: LoggedError): void {
    const event = { public_token: this.keys.publicToken, event_name: name, details, ...error };
    const entry: Event = { telemetry: { ...this.wire.telemetry() }, event };
    if (this.waitMs > BATCH_MS) void this.keep([entry]);
    else this.remember(entry);
    this.schedule();
  }

  stop(): void {
    this.leaving.unsubscribe();
    this.leave();
  }

  private remember(entry: Event): void {
    this.recent = [...this.recent, entry].slice(-MAX_RECENT);
  }

  /** Stores events for a later batch, of this page or the next. If the outbox cannot store them, they wait in memory. */
  private async keep(entries: readonly Event[]): Promise<void> {
    for (const entry of entries) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      if (await this.outbox.add(storedText(entry))) this.storage.set(this.mark, '1');
      else this.remember(entry);
    }
  }

  /** Takes waiting events from the outbox, at most 15. */
  private async take(): Promise<readonly Event[]> {
    if (this.storage.get(this.mark) === null) return [];
    // Done before the texts are taken, so that another tab that stores one meanwhile sets it again.
    this.storage.remove(this.mark);
    const texts = await this.outbox.take(BATCH_SIZE);
    if (texts.length === BATCH_SIZE) this.storage.set(this.mark, '1');
    return texts.map(parseJson).filter((entry): entry is Event => hasShape(events.log.body, entry));
  }

  private schedule(): void {
    if (!this.leaving.closed) this.cancel ??= this.clock.after(this.waitMs, () => void this.flush());
  }

  private async flush(): Promise<void> {
    this.unschedule();
    const backlog = await this.take();
    const batch = [...backlog, ...this.recent.splice(0, BATCH_SIZE - backlog.length)];
    if (this.recent.length > 0 || this.storage.get(this.mark) !== null) this.schedule();
    if (batch.length > 0) void this.send(batch, false);
  }

  /** Sends the latest events when the page is left, in a request that outlives the page. */
  private leave(): void {
    this.unschedule();
    const last = this.recent.splice(-BATCH_SIZE);
    const isReachable = this.waitMs === BATCH_MS;
    void this.keep(isReachable ? this.recent.splice(0) : [...this.recent.splice(0), ...last]);
    if (isReachable && last.length > 0) void this.send(last, true);
  }

  private async send(batch: readonly Event[], keepalive: boolean): Promise<void> {
    const before = this.waitMs;
    try {
      await this.wire.call(events.log, batch, { keepalive });
      this.waitMs = BATCH_MS;
    } catch (error) {
      if (isRefused(error)) return;
      this.waitMs = Math.max(Math.min(2 * before, MAX_WAIT_MS), retryAfterOf(error) ?? 0);
      // Events that were logged meanwhile come after it.
      void this.keep([...batch, ...this.recent.splice(0)]);
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
