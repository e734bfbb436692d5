import type { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import type { TrustedProxies } from '#provider/base/http/arrival.ts';
import type { Report } from '#provider/base/log/error-log.ts';
import type { Metrics } from '#provider/base/metrics/metrics.ts';
import type { Warn } from '#provider/base/warnings.ts';
import type { Services as BaseServices } from '#provider/base/services.ts';
import type { Limits } from './settings/limits.ts';
import type { Project } from './settings/project.ts';

/** The services of this wing: the project, the log and the metrics, in addition to the database and the keys. */
export interface Services extends BaseServices {
  readonly project: Project;
  readonly limits: Limits;
  /** The proxies in front of this server; if absent, none. */
  readonly proxies?: TrustedProxies;
  /** Logs unexpected errors. */
  readonly report: Report;
  /** Logs one sentence for the operator; absent if nothing is logged. */
  readonly warn?: Warn;
  readonly metrics: Metrics;
  /** Whether the server is about to stop; absent if there is no listening server, as in a test. */
  readonly draining?: ConnectionDrain;
}

/** The services that count requests against the limits of callers. */
export type RateLimitServices = Pick<Services, 'db' | 'clock' | 'keys' | 'dev' | 'limits'>;
