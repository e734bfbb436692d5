import { valueOf, type HeaderSource } from '#domain/sessions/request-credentials.ts';
import { mayUseCookies } from '#domain/rules/session-cookies.ts';
import type { CrossOrigin } from './authentication.ts';

/** A `Request`, Node's `IncomingMessage`, or anything else with their headers. */
export interface RequestSource {
  readonly headers: HeaderSource;
  /** Without a method, a request with an `Origin` or a body counts as state-changing. */
  readonly method?: string | undefined;
  /** The URL. If it is only a path, it is ignored. */
  readonly url?: string | undefined;
  /** The path and query as the browser sent them, if an Express router removed a part of `url`. */
  readonly originalUrl?: string | undefined;
  /** Node's socket. Its `encrypted` is true for a request over TLS. */
  readonly socket?: object | null | undefined;
}

/** The origins whose pages may send state-changing requests with the server's cookies, in addition to its own origin. */
export interface PagesOfApp {
  readonly origins: readonly string[];
}

/** Rejects a state-changing request unless a page of this server or of a listed origin sent it (CSRF). */
export function crossOriginOf(request: RequestSource, { origins }: PagesOfApp): CrossOrigin | null {
  const header = (name: string): string | undefined => valueOf(request.headers, name) || undefined;
  const [origin, fetchSite] = [header('origin'), header('sec-fetch-site')];
  const sender = { method: methodOf(request), origin, fetchSite, upgrades: header('upgrade') !== undefined };
  const app = {
    serves: 'pages',
    lists: (page: string) => origins.includes(page),
    isOwn: (page: string) => isOwn(request, page),
  } as const;
  if (mayUseCookies(sender, app)) return null;
  const isSite = fetchSite !== undefined && origin !== 'null';
  return {
    status: 'cross-origin',
    header: isSite ? 'sec-fetch-site' : 'origin',
    value: (isSite ? fetchSite : origin) ?? null,
    origin: origin ?? null,
  };
}

/** Next does not pass the method to components. Browsers send an Origin with every method but GET and HEAD, and a length with a body. */
function methodOf({ method, headers }: RequestSource): string {
  if (method !== undefined) return method;
  const isChange = ['origin', 'content-length', 'transfer-encoding'].some((name) => valueOf(headers, name) !== '');
  return isChange ? 'POST' : 'GET';
}

/**
 * Compares with `Host`, which a page of another site cannot set; `X-Forwarded-Host` is ignored. Behind a proxy that ends TLS the scheme is
 * unknown, so a different scheme counts as another origin only if an unencrypted page sent an encrypted request.
 */
function isOwn({ headers, url = '', socket }: RequestSource, origin: string): boolean {
  const page = urlOf(origin);
  const address = urlOf(url);
  // HTTP/2 has no Host header, and `Headers` rejects the name `:authority`.
  const authority = ':authority' in headers ? valueOf(headers, ':authority') : '';
  const host = valueOf(headers, 'host') || authority || (address?.host ?? '');
  if (page === null || host === '' || page.origin !== origin) return false;
  const isTls = address?.protocol === 'https:' || (socket ? Reflect.get(socket, 'encrypted') === true : false);
  if (isTls && page.protocol !== 'https:') return false;
  // An origin omits the default port, but a Host header may contain it.
  return urlOf(`${page.protocol}//${host}`)?.host === page.host;
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
