import { isExtensionOrigin, isOrigin } from '#domain/rules/redirects.ts';
import type { Log } from '#provider/base/log/log.ts';
import { MINUTE_MS, monotonicClock, type Clock } from '#provider/base/platform.ts';

/** Any client can send a request with any origin, so the number of lines is limited. */
const MOST_LINES = 10;
const WINDOW_MS = 60 * MINUTE_MS;
const LONGEST_ORIGIN = 200;

/** The project file's field that would admit a page. */
export type AdmittingField = 'origins' | 'session_cookies.domain';

/** Logs the origins of refused pages: each once, and at most ten per hour. */
export class RefusedOrigins {
  private readonly origins = new Set<string>();
  private since: number;

  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly clock: Clock = monotonicClock,
  ) {
    this.since = clock.now();
  }

  /** Logs the origin, unless it is invalid or was logged before. */
  add(origin: string, field: AdmittingField): void {
    const isValid = origin === 'null' || isOrigin(origin) || isExtensionOrigin(origin);
    if (!isValid || origin.length > LONGEST_ORIGIN) return;
    this.renew();
    if (this.origins.has(origin) || this.origins.size > MOST_LINES) return;
    this.origins.add(origin);
    if (this.origins.size > MOST_LINES) {
      this.log.warn('more pages were refused, and their origins are not logged for an hour');
    } else if (origin === 'null') {
      this.log.warn(
        'a page without an origin was refused: serve it over http, because files and sandboxed frames have none',
      );
    } else {
      this.log.warn('a page was refused: add its origin to this field of the project, if the page is yours', {
        origin,
        field,
      });
    }
  }

  private renew(): void {
    const now = this.clock.now();
    if (now - this.since < WINDOW_MS) return;
    this.since = now;
    this.origins.clear();
  }
}
