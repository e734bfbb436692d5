import type { MiddlewareHandler } from 'hono';
import type { SocialAnswer } from '#application/dev-control/dev-control.ts';
import type { AppEnv } from './environment.ts';

/** The functions behind `/dev/control`, which features call. */
export interface DevControls {
  /** Reads the scope from a request's header. Changes that a test makes in a scope apply only to its requests. */
  readonly scope: MiddlewareHandler<AppEnv>;
  /** Makes calls fail on purpose. */
  readonly faults: MiddlewareHandler<AppEnv>;
  /** The answer of the built-in social accounts to this login, once; null if the person should choose. */
  readonly takeSocialAnswer: () => SocialAnswer | null;
}
