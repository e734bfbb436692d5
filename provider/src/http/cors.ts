import { createMiddleware } from 'hono/factory';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import type { AppEnv } from './environment.ts';
import { refuse } from './replies.ts';

const METHODS = 'GET, POST, PUT, DELETE';
/** The requested header names are allowed if well-formed: the decision depends only on the origin. */
const HEADER_NAMES = /^[a-z0-9-]+(?: *, *[a-z0-9-]+)*$/iu;
/** Two hours: the longest time for which Chromium caches a preflight. */
const MAX_AGE_SECONDS = '7200';

/**
 * Answers pages of allowed origins, with credentials, and refuses all others, including `null`, before any work is
 * done. A request without an Origin does not come from a page and is answered.
 */
export function cors(allows: (origin: string) => boolean) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const origin = context.req.header('origin');
    context.header('Vary', 'Origin');
    if (origin === undefined) return next();
    if (!allows(origin)) return refuse(context, new Refusal('unregistered_origin'));
    context.header('Access-Control-Allow-Origin', origin);
    context.header('Access-Control-Allow-Credentials', 'true');
    context.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    if (context.req.method !== 'OPTIONS' || context.req.header('access-control-request-method') === undefined) {
      return next();
    }
    const asked = context.req.header('access-control-request-headers') ?? '';
    context.header('Access-Control-Allow-Methods', METHODS);
    if (HEADER_NAMES.test(asked)) context.header('Access-Control-Allow-Headers', asked);
    if (context.req.header('access-control-request-private-network') === 'true') {
      context.header('Access-Control-Allow-Private-Network', 'true');
    }
    context.header('Access-Control-Max-Age', MAX_AGE_SECONDS);
    context.header('Cache-Control', 'no-store');
    return context.body(null, 204);
  });
}
