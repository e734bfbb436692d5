import { BehaviorSubject, distinctUntilChanged, map, NEVER, Subscription, type Observable } from 'rxjs';
import { retryAfterOf } from '../../domain/errors.ts';
import type { Authenticated } from '../api/index.ts';
import type { Ports } from '../ports/index.ts';
import type { ClientKeys } from './client-keys.ts';
import { REFRESH_INTERVAL_MS, type RefreshRecord } from './refresh-record.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';
import type { SessionStore } from './session-store.ts';

/** How long a tab waits for another one's refresh; then it goes on by itself. */
const LOCK_PATIENCE_MS = 8_000;
const PATIENCE_SPREAD_MS = 2_000;
/** Waking up comes as several events; a try that failed this recently counts for all of them. */
const SETTLE_MS = 1_000;
/** How long the lock is kept after writing down what came of a try. */
const STORAGE_TRAVEL_MS = 300;

/**
 * Keeps the session alive in the background (specification, section 4): a refresh every 180 s while there is a
 * session, with exponential backoff while the server cannot be reached. Of all tabs of a browser one asks; the others
 * take over what it got. Only the server's word ends a session, never a failure to reach it.
 */
export class SessionRefresher {
  private readonly running = new Subscription();
  private readonly checkingSubject = new BehaviorSubject(false);
  private cancelTimer = (): void => undefined;
  private busy = false;
  private asking = false;

  /** True while it is not known whether a session that was found here still exists: only its cookie is there. */
  readonly checking$: Observable<boolean> = this.checkingSubject.pipe(distinctUntilChanged());

  constructor(
    private readonly lifecycle: SessionLifecycle,
    private readonly store: SessionStore,
    private readonly record: RefreshRecord,
    private readonly keys: ClientKeys,
    private readonly ports: Pick<Ports, 'clock' | 'lock' | 'browser' | 'crypto'>,
  ) {}

  /** Checks at once what was found here, then keeps to the rhythm. */
  start(): void {
    if (this.store.mayBeSignedIn()) {
      this.checkingSubject.next(this.store.state().session === null);
      void this.refresh().finally(() => this.checkingSubject.next(false));
    }
    const present$ = this.store.session$.pipe(
      map((session) => session !== null),
      distinctUntilChanged(),
    );
    this.running.add(present$.subscribe((present) => this.onPresence(present)));
    this.running.add(this.ports.browser.wakes$.subscribe(() => this.check(true)));
    this.running.add(this.ports.browser.leaves$.subscribe(() => this.withdraw()));
  }

  stop(): void {
    this.running.unsubscribe();
    this.cancelTimer();
    this.withdraw();
    this.checkingSubject.complete();
  }

  private onPresence(present: boolean): void {
    if (!present) this.cancelTimer();
    if (!present || this.busy) return;
    this.record.succeeded(this.ports.clock.now());
    this.schedule();
  }

  /** Refreshes if it is time to. `awake` tries again at once what failed while the device slept or was offline. */
  private check(awake: boolean): void {
    if (this.busy || !this.store.isHere()) return;
    const now = this.ports.clock.now();
    const last = this.record.read(now);
    const again = awake && last !== null && last.failures > 0 && last.notBefore <= now && last.at + SETTLE_MS <= now;
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
      // What the record says decides about the next try; a session that is over has been cleared.
    } finally {
      this.busy = false;
      this.schedule();
    }
  }

  /**
   * Asks unless another tab has tried since `seen`, or signed out. Runs no user code under the lock. Answers as soon as the server
   * has, and leaves the lock a moment later: a lock travels to the next tab faster than what was written to storage. Where
   * the lock holds nobody off, because the browser has none or its holder froze, the record does.
   */
  private askUnderLock(seen: number): Promise<() => Authenticated | void> {
    const patience = LOCK_PATIENCE_MS + this.random() * PATIENCE_SPREAD_MS;
    return new Promise((resolve, reject) => {
      const task = async (): Promise<void> => {
        // Nothing is awaited between the last look at the record and `begin` in it.
        for (let ms = this.othersAskMs(); ms !== null; ms = this.othersAskMs()) {
          await this.pause(ms, this.record.changes$);
        }
        const overtaken = this.running.closed || this.record.count() !== seen || !this.store.mayBeSignedIn();
        if (overtaken) return resolve(() => this.store.reload(true));
        resolve(await this.ask());
        await this.pause(STORAGE_TRAVEL_MS);
      };
      this.ports.lock.run(this.keys.storage('refresh'), patience, task).catch(reject);
    });
  }

  private othersAskMs(): number | null {
    return this.running.closed ? null : this.record.beingAskedMs(this.ports.clock.now(), LOCK_PATIENCE_MS);
  }

  private pause(ms: number, orUntil$: Observable<unknown> = NEVER): Promise<void> {
    return new Promise((resolve) => {
      const waiting = new Subscription(resolve);
      waiting.add(this.ports.clock.after(ms, () => waiting.unsubscribe()));
      waiting.add(orUntil$.subscribe(() => waiting.unsubscribe()));
      this.running.add(waiting);
    });
  }

  /** Asks, and tells the other tabs what came of it. What to do about it here is left to the caller. */
  private async ask(): Promise<() => Authenticated> {
    const began = this.ports.clock.now();
    const before = this.record.read(began);
    this.record.begin(began, LOCK_PATIENCE_MS);
    this.asking = true;
    const { write, error } = await this.lifecycle.ask({});
    this.asking = false;
    const now = this.ports.clock.now();
    if (error === null) this.record.succeeded(now);
    else this.record.failed(now, (before?.failures ?? 0) + 1, this.random(), retryAfterOf(error));
    return write;
  }

  private withdraw(): void {
    if (this.asking) this.record.withdraw();
    this.asking = false;
  }

  private random(): number {
    return (this.ports.crypto.words(1)[0] ?? 0) / 2 ** 32;
  }
}
