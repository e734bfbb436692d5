import type { MiddlewareHandler } from 'hono';
import type { SocialAnswer } from '../../../../src/application/dev-control/dev-control.ts';
import type { AppEnv } from '../../http/environment.ts';

/** What the features ask of `/dev/control`. */
export interface Controlled {
  /** Makes calls go wrong on purpose. */
  readonly faults: MiddlewareHandler<AppEnv>;
  /** How the built-in social accounts answer the login of this request, once; null as the person chooses. */
  readonly takeSocialAnswer: () => SocialAnswer | null;
}
