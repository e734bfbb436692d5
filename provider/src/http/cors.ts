import { createMiddleware } from 'hono/factory';
import { allowsOrigin } from '../../../src/domain/rules/redirects.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { isWithin } from '../../../src/domain/rules/session-cookies.ts';
import type { Project } from '../project/project.ts';
import type { AppEnv } from './environment.ts';
import { requestOrigin } from './arrival.ts';
import { refuse } from './replies.ts';

const METHODS = 'GET, POST, PUT, DELETE';
/** The requested header names are allowed if well-formed: the decision depends only on the origin. */
const HEADER_NAMES = /^[a-z0-9-]+(?: *, *[a-z0-9-]+)*$/iu;
/** Two hours: the longest time for which Chromium caches a preflight. */
const MAX_AGE_SECONDS = '7200';

/** Why a page may not call, or null when it may. */
function pageRefusal(
  { session_cookies, issuer, ...registered }: Project,
  origin: string,
  host: string,
): Refusal | null {
  if (!allowsOrigin(registered, origin)) return new Refusal('unregistered_origin');
  const { http_only, domain } = session_cookies;
  if (!http_only || domain === null) return null;
  if (!isWithin(domain, new URL(origin).hostname)) {
    return new Refusal('unregistered_origin', `Pages that keep sessions in cookies must be on a host of ${domain}.`);
  }
  // Behind a proxy the host of the request may be another. Then the project has an issuer, and its host was checked.
  if (issuer === null && !isWithin(domain, host)) {
    return new Refusal(
      'misdirected_request',
      `Call this server at a host of ${domain}, for which it sets its cookies.`,
    );
  }
  return null;
}

/**
 * Answers pages of allowed origins, with credentials, and refuses all others, including `null`, before any work is
 * done. A request without an Origin does not come from a page and is answered.
 */
export function cors(project: Project) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const origin = context.req.header('origin');
    context.header('Vary', 'Origin');
    if (origin === undefined) return next();
    const refusal = pageRefusal(project, origin, new URL(requestOrigin(context)).hostname);
    if (refusal !== null) return refuse(context, refusal);
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
