import type { MiddlewareHandler } from 'hono';
import type { SocialAnswer } from '../../../../src/application/dev-control/dev-control.ts';
import type { AppEnv } from './environment.ts';

/** What the features ask of `/dev/control`. */
export interface DevControls {
  /** Finds the scope of a request in its header: what a test changes with a scope applies to its own requests. */
  readonly scope: MiddlewareHandler<AppEnv>;
  /** Makes calls go wrong on purpose. */
  readonly faults: MiddlewareHandler<AppEnv>;
  /** How the built-in social accounts answer the login of this request, once; null as the person chooses. */
  readonly takeSocialAnswer: () => SocialAnswer | null;
}
