import { BehaviorSubject, Subscription, type Observable } from 'rxjs';
import type { Later } from '#domain/later.ts';
import { changesOf } from '../changes.ts';
import type { Ports } from '../ports/index.ts';
import type { SessionLifecycle } from './session-lifecycle.ts';
import type { SessionRefresher } from './session-refresher.ts';
import type { SessionStore } from './session-store.ts';

/** The wait before the session's code is requested again, in milliseconds. */
const RETRY_MS = 30_000;

/** The code that a page needs only if there is a session. */
export interface SessionCode {
  readonly lifecycle: SessionLifecycle;
  readonly refresher: SessionRefresher;
}

/** Loads the code that keeps a session alive: immediately if one is stored, else with the first login. */
export class SessionWatch {
  private readonly running = new Subscription();
  private readonly checkingSubject = new BehaviorSubject(false);
  private hasBegun = false;

  /** True during the first check of a session that is known only from its cookie. */
  readonly checking$: Observable<boolean> = changesOf(this.checkingSubject, (checking) => checking);

  constructor(
    private readonly code: Later<SessionCode>,
    private readonly store: SessionStore,
    private readonly ports: Pick<Ports, 'browser' | 'clock'>,
  ) {}

  start(): void {
    const mayBeSignedIn = this.store.mayBeSignedIn();
    this.checkingSubject.next(mayBeSignedIn && this.store.state().session === null);
    if (mayBeSignedIn || this.store.owesSignOut()) void this.begin();
    this.running.add(this.store.session$.subscribe((session) => session && void this.begin()));
    this.running.add(this.ports.browser.wakes$.subscribe(() => this.wake()));
  }

  stop(): void {
    this.running.unsubscribe();
    this.code.value()?.refresher.stop();
    this.checkingSubject.complete();
  }

  private async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    try {
      const { refresher } = await this.code.load();
      if (!this.running.closed) await refresher.start();
    } catch {
      this.hasBegun = false;
      this.running.add(this.ports.clock.after(RETRY_MS, () => void this.begin()));
    }
    this.checkingSubject.next(false);
  }

  private wake(): void {
    // A page in the back-forward cache received no events of other tabs.
    this.store.reload(true);
    if (this.hasBegun) this.code.value()?.refresher.wake();
    else if (this.store.mayBeSignedIn() || this.store.owesSignOut()) void this.begin();
  }
}
