import { Subscription, type Observable } from 'rxjs';
import { retryAfterOf } from '#domain/errors.ts';
import type { AuthenticationReply } from '../api/index.ts';
import { changesOf } from '../changes.ts';
import type { Ports } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import { REFRESH_INTERVAL_MS, STORAGE_TRAVEL_MS, type RefreshRecord } from './refresh-record.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';
import type { SessionStore } from './session-store.ts';

/** How long a tab waits for another tab's refresh, and at least for the lock, before it refreshes on its own. */
const PATIENCE_MS = 8_000;
/** How much longer tabs wait for the lock, each for a different time. */
const PATIENCE_SPREAD_MS = 1_000;
/** Waking up causes several events. They do not repeat an attempt that failed this recently. */
const SETTLE_MS = 1_000;

/**
 * Keeps the session alive in the background (specification, section 4): refreshes it every 180 s, with exponential backoff while the server
 * cannot be reached. One tab of the browser sends the request; the others read its result. Only a response of the server ends a session,
 * never a failure to reach it.
 */
export class SessionRefresher {
  private readonly running = new Subscription();
  private cancelTimer = (): void => undefined;
  private busy = false;
  private asking = false;

  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly record: RefreshRecord,
    private readonly keys: ClientKeys,
    private readonly ports: Pick<Ports, 'clock' | 'lock' | 'browser' | 'crypto'>,
  ) {}

  /** Immediately checks a stored session, then refreshes it regularly. Resolves after the first check. */
  async start(): Promise<void> {
    void this.lifecycle.settle();
    const { session: current, fromCache } = this.store.state();
    // If a login loaded this code, its session needs no check.
    const isUnconfirmed = this.store.mayBeSignedIn() && (current === null || fromCache);
    const checked = isUnconfirmed ? this.refresh() : null;
    const present$ = changesOf(this.store.session$, (session) => session !== null);
    this.running.add(present$.subscribe((present) => this.onPresence(present)));
    this.running.add(this.ports.browser.leaves$.subscribe(() => this.withdraw()));
    await checked;
  }

  stop(): void {
    this.running.unsubscribe();
    this.cancelTimer();
    this.withdraw();
  }

  private onPresence(present: boolean): void {
    if (!present) this.cancelTimer();
    if (!present || this.busy) return;
    this.record.succeeded(this.ports.clock.now());
    this.schedule();
  }

  /** Continues after the device has slept or was offline. */
  wake(): void {
    void this.lifecycle.settle();
    this.check(true);
  }

  /**
   * Refreshes if it is due. With `awake`, a failed attempt is repeated immediately, because the device may have slept or been offline. A
   * refresh is also sent if cookies were added or removed: another host of the site has signed in or out with them, which causes no storage
   * event.
   */
  private check(awake: boolean): void {
    if (this.busy || !this.store.mayBeSignedIn()) return;
    const now = this.ports.clock.now();
    const last = this.record.read(now);
    const again =
      awake &&
      last !== null &&
      (last.failures > 0 || this.store.isHere() !== this.store.hasCookies()) &&
      last.notBefore <= now &&
      last.at + SETTLE_MS <= now;
    if (again || last === null || last.next <= now) void this.refresh();
    else this.schedule();
  }

  private schedule(): void {
    this.cancelTimer();
    if (this.running.closed || !this.store.isHere()) return;
    const now = this.ports.clock.now();
    const next = this.record.read(now)?.next ?? now + REFRESH_INTERVAL_MS;
    this.cancelTimer = this.ports.clock.after(Math.max(0, next - now), () => this.check(false));
  }

  private async refresh(): Promise<void> {
    this.busy = true;
    this.cancelTimer();
    try {
      const write = await this.askUnderLock(this.record.count());
      if (!this.running.closed) write();
    } catch {
      // The record holds the time of the next attempt; a session that the server ended has been cleared.
    } finally {
      this.busy = false;
      this.schedule();
    }
  }

  /**
   * Sends the refresh, unless another tab has tried since attempt `seen` or signed out. No user code runs under the lock. Resolves as soon
   * as the server has responded. After a success it holds the lock a little longer, because another tab may get the lock before it sees the
   * written storage. After a failure it does not: timers of a hidden tab can take a minute, and another tab must continue. The record also
   * makes the tabs wait if the lock cannot: without Web Locks, or if the holder is frozen or was killed.
   */
  private askUnderLock(mark: number): Promise<() => AuthenticationReply | void> {
    const patience = PATIENCE_MS + this.random() * PATIENCE_SPREAD_MS;
    const overtaken = (): boolean => this.running.closed || this.record.count() !== mark || !this.store.mayBeSignedIn();
    return new Promise((resolve, reject) => {
      const task = async (): Promise<void> => {
        // There must be no `await` between the last read of the record and its `begin`.
        while (!overtaken()) {
          const ms = this.record.claimOrWait(this.ports.clock.now(), PATIENCE_MS, this.random());
          if (ms === null) return this.ask(resolve);
          await this.pause(ms, this.record.attempts$, this.record.claims$);
        }
        resolve(() => this.store.reload(true));
      };
      this.ports.lock.run(this.keys.storage('refresh'), patience, task).catch(reject);
    });
  }

  private pause(ms: number, ...orUntil: readonly Observable<unknown>[]): Promise<void> {
    return new Promise((resolve) => {
      const waiting = new Subscription(resolve);
      waiting.add(this.ports.clock.after(ms, () => waiting.unsubscribe()));
      for (const event$ of orUntil) waiting.add(event$.subscribe(() => waiting.unsubscribe()));
      this.running.add(waiting);
    });
  }

  /**
   * Sends the refresh, records the result for the other tabs, and returns a function that stores it in this tab. If this tab was frozen
   * meanwhile and another has taken over, an error is left to that tab, which sends its own request; a success is stored unless there is
   * something newer.
   */
  private async ask(answer: (write: () => AuthenticationReply | void) => void): Promise<void> {
    const began = this.ports.clock.now();
    const failures = this.record.read(began)?.failures ?? 0;
    this.record.begin(began, PATIENCE_MS, this.random());
    this.asking = true;
    const { write, error } = await this.lifecycle.ask({}, () => this.record.isReplaced());
    this.asking = false;
    const isLeft = this.record.isReplaced() && (error !== null || this.record.hasSucceeded());
    if (isLeft) return answer(() => this.store.reload(true));
    const now = this.ports.clock.now();
    answer(write);
    if (error !== null) return this.record.failed(now, failures + 1, this.random(), retryAfterOf(error));
    this.record.succeeded(now);
    return this.pause(STORAGE_TRAVEL_MS);
  }

  private withdraw(): void {
    if (this.asking) this.record.withdraw(this.ports.clock.now());
    this.asking = false;
  }

  private random(): number {
    return (this.ports.crypto.words(1)[0] ?? 0) / 2 ** 32;
  }
}
