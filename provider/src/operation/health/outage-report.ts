import { isDatabaseUnavailable } from '#provider/base/db/database-errors.ts';
import type { ErrorPlace, Report } from '#provider/base/log/error-log.ts';
import type { Log } from '#provider/base/log/log.ts';

const WINDOW_MS = 10_000;

/**
 * Reports errors. While the database is away it reports that once, because every request fails and one line for each would hide all others.
 * The number of the following errors is written every ten seconds.
 */
export class OutageReport {
  private timer: NodeJS.Timeout | null = null;
  private since = '';
  private errors = 0;

  constructor(
    private readonly next: Report,
    private readonly log: Pick<Log, 'error'>,
    private readonly windowMs = WINDOW_MS,
  ) {}

  report(error: unknown, place: ErrorPlace): void {
    if (!isDatabaseUnavailable(error)) {
      this.next(error, place);
      return;
    }
    if (this.timer !== null) {
      this.errors += 1;
      return;
    }
    this.next(error, place);
    this.begin();
  }

  /** Writes the number of errors that were not written yet. */
  end(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.errors > 0) this.log.error('the database was unavailable', { errors: this.errors, since: this.since });
    this.errors = 0;
  }

  private begin(): void {
    this.since = new Date().toISOString();
    this.timer = setTimeout(() => {
      const goesOn = this.errors > 0;
      this.end();
      if (goesOn) this.begin();
    }, this.windowMs);
    this.timer.unref();
  }
}
