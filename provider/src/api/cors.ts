import { createMiddleware } from 'hono/factory';
import { api, API_PREFIX } from '#application/api/index.ts';
import { allowsCaller } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isWithin } from '#domain/rules/session-cookies.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { requestOrigin } from '#provider/base/http/arrival.ts';
import type { AdmittingField, RefusedOrigins } from './refused-origins.ts';
import { refuse } from '#provider/base/http/replies.ts';
import { BOUND_PATHS, boundOrigins } from './bound-addresses.ts';

/** The calls of the page `/clientside-services/`, which has this server's origin. They see no session. */
const CALLS_OF_OWN_PAGE: ReadonlySet<string> = new Set(
  [api.oauth.oneTapStart, api.oauth.oneTapSubmit].map(({ path }) => API_PREFIX + path),
);
/** The calls that a browser itself makes, with the origin of this server or of its domain. Scripts cannot read the replies. */
const CALLS_OF_BROWSERS: ReadonlySet<string> = new Set(Object.values(BOUND_PATHS));
const METHODS = 'GET, POST, PUT, DELETE';
/** The requested header names are allowed if well-formed: the decision depends only on the origin. */
const HEADER_NAMES = /^[a-z0-9-]+(?: *, *[a-z0-9-]+)*$/iu;
/** Two hours, the longest time that Chromium caches a preflight. */
const MAX_AGE_SECONDS = '7200';

interface PageRefusal {
  readonly refusal: Refusal;
  /** The project field that would admit the page; null if none would. */
  readonly field: AdmittingField | null;
}

/** Why a page may not call, or null if it may. */
function pageRefusal(
  { session_cookies, issuer, ...registered }: Project,
  origin: string,
  host: string,
): PageRefusal | null {
  if (!allowsCaller(registered, origin)) return { refusal: new Refusal('unregistered_origin'), field: 'origins' };
  const { http_only, domain } = session_cookies;
  if (!http_only || domain === null) return null;
  if (!isWithin(domain, new URL(origin).hostname)) {
    const message = `Pages that keep sessions in cookies must be on a host of ${domain}.`;
    return { refusal: new Refusal('unregistered_origin', message), field: 'session_cookies.domain' };
  }
  // Behind a proxy the request may have another host. In that case the project has an issuer, and its host was checked.
  if (issuer === null && !isWithin(domain, host)) {
    const message = `Call this server at a host of ${domain}, for which it sets its cookies.`;
    return { refusal: new Refusal('misdirected_request', message), field: null };
  }
  return null;
}

const isPreflight = ({ req }: AppContext): boolean =>
  req.method === 'OPTIONS' && req.header('access-control-request-method') !== undefined;

/** The headers that a preflight requests. */
function allowAsked(context: AppContext): void {
  const headerNames = context.req.header('access-control-request-headers') ?? '';
  context.header('Access-Control-Allow-Methods', METHODS);
  if (HEADER_NAMES.test(headerNames)) context.header('Access-Control-Allow-Headers', headerNames);
  context.header('Cache-Control', 'no-store');
}

/**
 * The refusal of a page. Pages of every origin can read it, so that a developer sees the reason instead of only a failed request. Nothing
 * else becomes readable: such a request has no credentials, the preflight's answer has no content, and the request after it is rejected,
 * too.
 */
function refusePage(context: AppContext, refusal: Refusal): Response {
  const isApi = context.req.path.startsWith(`${API_PREFIX}/`);
  if (isApi) context.header('Access-Control-Allow-Origin', '*');
  if (!isApi || !isPreflight(context)) return refuse(context, refusal);
  allowAsked(context);
  // The next request checks again whether the origin has been registered.
  context.header('Access-Control-Max-Age', '0');
  context.set('refusal', refusal.type);
  return context.body(null, 204);
}

/**
 * Answers pages of allowed origins, with credentials. Refuses all others, including `null`, before any work is done. A request without an
 * Origin does not come from a page and is answered.
 */
export function cors(project: Project, refusals: Pick<RefusedOrigins, 'add'>) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const origin = context.req.header('origin');
    context.header('Vary', 'Origin');
    if (origin === undefined) return next();
    const isOwnPage = origin === (project.issuer ?? requestOrigin(context));
    if (isOwnPage && CALLS_OF_OWN_PAGE.has(context.req.path)) return next();
    const isOfBrowser = CALLS_OF_BROWSERS.has(context.req.path) && boundOrigins(project, context).includes(origin);
    if (isOfBrowser && !isPreflight(context)) return next();
    const found = pageRefusal(project, origin, new URL(requestOrigin(context)).hostname);
    if (found !== null) {
      if (found.field !== null) refusals.add(origin, found.field);
      return refusePage(context, found.refusal);
    }
    context.header('Access-Control-Allow-Origin', origin);
    context.header('Access-Control-Allow-Credentials', 'true');
    context.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id, DPoP-Nonce');
    if (!isPreflight(context)) return next();
    allowAsked(context);
    if (context.req.header('access-control-request-private-network') === 'true') {
      context.header('Access-Control-Allow-Private-Network', 'true');
    }
    context.header('Access-Control-Max-Age', MAX_AGE_SECONDS);
    return context.body(null, 204);
  });
}
