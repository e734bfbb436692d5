import type { Next } from 'hono';
import { createMiddleware } from 'hono/factory';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { newId } from '../security/secrets.ts';
import type { Log } from '../log/log.ts';
import type { AnsweredRequest, Metrics } from '../metrics/metrics.ts';
import type { Random } from '../platform.ts';
import type { RequestTracer } from '../tracing/tracing.ts';
import { requestOrigin } from './arrival.ts';
import type { AppContext, AppEnv } from './environment.ts';
import { refuse } from './replies.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export interface HygieneServices {
  readonly random: Random;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Absent if tracing is off. */
  readonly tracing?: RequestTracer | undefined;
}

/** Sets the request id and the headers of the reply, then logs, counts and traces the request without any of its contents. */
export function traced({ random, metrics, log, tracing }: HygieneServices) {
  const answer = async (context: AppContext, next: Next): Promise<AnsweredRequest> => {
    const id = newId(random, 'request-id');
    const began = performance.now();
    context.set('requestId', id);
    context.set('pattern', '(no route)');
    await next();
    const { headers } = context.res;
    headers.set('X-Request-Id', id);
    headers.set('X-Content-Type-Options', 'nosniff');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    const { method } = context.req;
    return {
      method: METHODS.has(method) ? method : 'OTHER',
      pattern: context.get('pattern'),
      status: context.res.status,
      seconds: (performance.now() - began) / 1000,
      requestId: id,
      refusal: context.get('refusal'),
    };
  };
  return createMiddleware<AppEnv>(async (context, next) => {
    const exchange =
      tracing === undefined
        ? await answer(context, next)
        : await tracing.request(context.req.raw, () => answer(context, next));
    metrics.request(exchange);
    logRequest(log, exchange);
  });
}

/**
 * Logs a line for each answered request, without address, user, path and header. The request id is also in the reply's `X-Request-Id`, so
 * that the log of a proxy, which has addresses, can be matched.
 */
export function logRequest(log: Log, { method, pattern, status, seconds, requestId, refusal }: AnsweredRequest): void {
  log.info('request', { method, pattern, status, ms: Math.round(seconds * 1000), request_id: requestId, refusal });
}

/**
 * Rejects every host name except those of this machine and of the issuer. Otherwise another site could point its name here (DNS rebinding),
 * and would then have the same origin. A proxy on this machine may forward the public host name, which is the issuer's.
 */
export function loopbackHostOnly(issuer: string | null) {
  const own = issuer === null ? null : new URL(issuer).hostname;
  const isOurs = (name: string): boolean => isLoopbackHost(name) || name === own;
  return createMiddleware<AppEnv>(async (context, next) => {
    // The request line may contain another host (RFC 9112, section 3.2.2), and a proxy may name a third: all must be ours.
    const { hostname, host } = new URL(context.req.url);
    const hostHeader = hostnameOf(context.req.header('host') ?? host);
    const forwarded = new URL(requestOrigin(context)).hostname;
    if (hostHeader === null || !isOurs(hostHeader) || !isOurs(hostname) || !isOurs(forwarded)) {
      return refuse(context, new Refusal('misdirected_request'));
    }
    return next();
  });
}

/** A letter or digit as an escape, which no client needs (RFC 3986, section 2.3). */
const ESCAPED = /%(?:3\d|[46][1-9a-f]|[57][0-9a])/iu;

/** A dot segment with escaped dots or slashes: some proxies decode a path before they compare it with their lists. */
const ESCAPED_DOT_SEGMENT = /(?:\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?=\/|\\|%2f|%5c|$)/iu;

/**
 * Refuses request targets that resolve to another path than the one written, such as `/sdk/v1/..\..\v1/users`, `/%76%31/users` and
 * `/v1/users/x%2f..%2f..%2fpublic`. A proxy that allows or blocks certain paths compares the written or the decoded path.
 */
export const plainPathOnly = createMiddleware<AppEnv>(async (context, next) => {
  const target = context.env?.incoming?.url;
  const [spelled] = target?.replace(/^https?:\/\/[^/?#]*/iu, '').split('?') ?? [];
  if (spelled === undefined) return next();
  const isPlain =
    (spelled === '' ? '/' : spelled) === new URL(context.req.url).pathname &&
    !ESCAPED.test(spelled) &&
    !ESCAPED_DOT_SEGMENT.test(spelled);
  if (!isPlain) {
    return refuse(
      context,
      new Refusal(
        'bad_request',
        'The path must not contain dot segments, escaped letters or characters that need encoding.',
      ),
    );
  }
  return next();
});

function hostnameOf(host: string): string | null {
  try {
    const url = new URL(`http://${host}`);
    return url.pathname === '/' && url.search === '' && url.username === '' ? url.hostname : null;
  } catch {
    return null;
  }
}

/** The maximum length of target and headers, in characters. */
export const HEADER_LIMIT = 16 * 1024;

const MESSAGE = `The address and the headers have more than ${HEADER_LIMIT / 1024} kB. Cookies of the whole site are among them: remove some.`;

/**
 * Refuses long headers before the listener does, because pages cannot read the listener's reply, and no log line mentions it.
 *
 * @param allow sets the CORS headers, because the origin was not checked before
 */
export function shortHeadersOnly(allow: (context: AppContext) => void = () => undefined) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const size = linesOf(context).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      context.req.raw.url.length,
    );
    if (size <= HEADER_LIMIT) return next();
    allow(context);
    return refuse(context, new Refusal('request_headers_too_large', MESSAGE));
  });
}

/** The headers as sent: `Headers` has each name only once, no matter how often it came. */
function linesOf({ env, req }: AppContext): readonly (readonly [name: string, value: string])[] {
  const raw = env?.incoming?.rawHeaders;
  if (raw === undefined) return [...req.raw.headers];
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}
