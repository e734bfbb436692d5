import type { MiddlewareHandler } from 'hono';
import type { SocialAnswer } from '../../../../src/application/dev-control/dev-control.ts';
import type { AppEnv } from './environment.ts';

/** The functions of `/dev/control` that features call. */
export interface DevControls {
  /** Reads the scope of a request from its header: a test's changes with a scope apply to its requests only. */
  readonly scope: MiddlewareHandler<AppEnv>;
  /** Makes calls go wrong on purpose. */
  readonly faults: MiddlewareHandler<AppEnv>;
  /** The answer of the built-in social accounts to this login, once; null if the person chooses. */
  readonly takeSocialAnswer: () => SocialAnswer | null;
}
