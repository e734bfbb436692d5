import { valueOf, type HeaderSource } from '../../domain/sessions/request-credentials.ts';
import { mayUseCookies } from '../../domain/rules/session-cookies.ts';
import type { CrossOrigin } from './authentication.ts';

/** A `Request`, Node's `IncomingMessage`, or anything else with their headers. */
export interface RequestSource {
  readonly headers: HeaderSource;
  /** Without it, a request with an `Origin` or a body counts as one that changes something. */
  readonly method?: string | undefined;
  /** The address, of which a path alone says nothing. */
  readonly url?: string | undefined;
  /** Node's socket, whose `encrypted` says that the request came over TLS. */
  readonly socket?: object | null | undefined;
}

/** Whose pages may use the cookies of an app's server to change something, beside its own. */
export interface PagesOfApp {
  readonly origins: readonly string[];
}

/** Refuses a request that changes something unless a page of this server, or of a listed origin, sent it (CSRF). */
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

/** Next tells its components no method. Browsers send an Origin with every method but GET and HEAD, and a length with a body. */
function methodOf({ method, headers }: RequestSource): string {
  if (method !== undefined) return method;
  const isChange = ['origin', 'content-length', 'transfer-encoding'].some((name) => valueOf(headers, name) !== '');
  return isChange ? 'POST' : 'GET';
}

/**
 * By `Host`, which a page of another site cannot choose; nobody's `X-Forwarded-Host` counts. Behind a proxy that ends TLS the
 * scheme is not known: only an unencrypted page of an encrypted request is another origin then.
 */
function isOwn({ headers, url = '', socket }: RequestSource, origin: string): boolean {
  const page = urlOf(origin);
  const address = urlOf(url);
  // HTTP/2 has no Host, and `Headers` refuses the name of what it has instead.
  const authority = ':authority' in headers ? valueOf(headers, ':authority') : '';
  const host = valueOf(headers, 'host') || authority || (address?.host ?? '');
  if (page === null || host === '' || page.origin !== origin) return false;
  const isTls = address?.protocol === 'https:' || (socket ? Reflect.get(socket, 'encrypted') === true : false);
  if (isTls && page.protocol !== 'https:') return false;
  // The default port is left out of an origin, and may stand in a Host.
  return urlOf(`${page.protocol}//${host}`)?.host === page.host;
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
