/** The rules of both servers for sessions in HttpOnly cookies. */

/** The names of the cookies with the two forms of the session's secret. */
export interface SessionCookieNames {
  readonly token: string;
  readonly jwt: string;
}

/** The empty values that replace the session's secrets in replies to a page whose session is in HttpOnly cookies. */
export const NO_SECRETS = { session_token: '', session_jwt: '' } as const;

/** The maximum number of values tried for one session. A request with more of them is treated as one of several users. */
export const MOST_VALUES = 3;

/** True when cookies with this Domain are sent to the host (RFC 6265, section 5.1.3). */
export function isWithin(domain: string, hostname: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** The parts of a request by which a browser describes the sending page. */
export interface Sender {
  readonly method: string;
  /** `Origin`: `null` from a sandboxed frame, and after a redirect by another origin. */
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which browsers send since 2023 at the latest, and only to https and to this machine. */
  readonly fetchSite: string | undefined;
  /** True for a change of protocol. A page of any origin can read the data of a WebSocket. */
  readonly upgrades?: boolean;
}

/** A server that reads session cookies, and the pages that may use them. */
export interface CookieServer {
  /** `pages`: an app's own server, to which any site can link. `calls`: an API that scripts call. */
  readonly serves: 'pages' | 'calls';
  /** Whether pages of this foreign origin may act for their user. */
  readonly lists: (origin: string) => boolean;
  /** Whether this is the server's own origin. Called only when the browser does not report it. */
  readonly isOwn: (origin: string) => boolean;
}

/** The methods that change nothing (RFC 9110, section 9.2.1), without TRACE, which repeats the cookies. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True when the cookies of a request may act for their user. A browser adds cookies to requests that other sites and sibling hosts
 * cause, but it never omits the Origin of a state-changing request.
 */
export function mayUseCookies(sender: Sender, { serves, lists, isOwn }: CookieServer): boolean {
  const { method, origin, fetchSite, upgrades = false } = sender;
  if (serves === 'pages' && READS.has(method) && !upgrades) return true;
  if (origin === 'null') return false;
  if (origin !== undefined && lists(origin)) return true;
  if (fetchSite === undefined) return origin !== undefined && isOwn(origin);
  if (serves === 'calls') return method === 'GET' && fetchSite === 'same-origin';
  return fetchSite === 'same-origin' || fetchSite === 'none';
}

/**
 * The session of several cookies with the same name: the first, unless they belong to different users. A sibling host can add a
 * cookie (cookie tossing), so the order of different users' cookies is unreliable.
 */
export function onlyUser<S extends { readonly user_id: string }>(live: readonly S[]): S | 'ambiguous' | undefined {
  const [first] = live;
  return live.some(({ user_id }) => user_id !== first?.user_id) ? 'ambiguous' : first;
}
