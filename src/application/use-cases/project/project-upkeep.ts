import { Subscription } from 'rxjs';
import { retryAfterOf } from '#domain/errors.ts';
import type { BrowserPort, ClockPort } from '../../ports/index.ts';
import type { Project, BootstrapResult } from './project.ts';

/** The least time between two requests when the page becomes visible (specification, section 9), in milliseconds. */
const FOCUS_THROTTLE_MS = 5_000;
const RETRY_MS = 5_000;
const SLOW_RETRY_MS = 10_000;
/** The most doublings of the wait between two attempts: it grows to 32 times the first wait. */
const MOST_DOUBLINGS = 5;

/** Requests the project's settings again after a failure, and when the page becomes visible. */
export class ProjectUpkeep {
  private readonly running = new Subscription();
  private cancel = (): void => undefined;
  private failures = 0;
  private focusedAt = -Infinity;

  constructor(
    private readonly project: Project,
    private readonly browser: BrowserPort,
    private readonly clock: ClockPort,
  ) {}

  /** Runs until the project is destroyed. */
  start(): void {
    const failure = this.project.failure();
    if (failure !== null) this.retryAfter(failure);
    this.running.add(this.browser.wakes$.subscribe(() => this.onFocus()));
    this.running.add(
      this.project.told$.subscribe({ next: (result) => this.onTold(result), complete: () => this.stop() }),
    );
  }

  private stop(): void {
    this.cancel();
    this.running.unsubscribe();
  }

  private onTold({ bootstrap, error }: BootstrapResult): void {
    this.cancel();
    if (bootstrap === null) this.retryAfter(error);
    else this.failures = 0;
  }

  private retryAfter(error: unknown): void {
    const first = this.browser.isSlow === true ? SLOW_RETRY_MS : RETRY_MS;
    const ms = first * 2 ** Math.min(this.failures, MOST_DOUBLINGS);
    this.failures += 1;
    this.cancel = this.clock.after(Math.max(ms, retryAfterOf(error) ?? 0), () => void this.project.refresh());
  }

  private onFocus(): void {
    const now = this.clock.now();
    if (Math.abs(now - this.focusedAt) < FOCUS_THROTTLE_MS) return;
    this.focusedAt = now;
    void this.project.refresh();
  }
}
