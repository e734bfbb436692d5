/** What both servers hold about sessions in cookies that scripts cannot read. */

/** The names of the cookies with the two forms of the session's secret. */
export interface SessionCookieNames {
  readonly token: string;
  readonly jwt: string;
}

/** In place of the session's secrets, in a reply to a page whose session is in HttpOnly cookies. */
export const NO_SECRETS = { session_token: '', session_jwt: '' } as const;

/** The most values that are tried for one session. A request with more of them is treated as one of several users. */
export const MOST_VALUES = 3;

/** True when cookies with this Domain are sent to the host (RFC 6265, section 5.1.3). */
export function isWithin(domain: string, hostname: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** The headers of a request with which a browser describes the page that sent it. */
export interface Sender {
  readonly method: string;
  /** `Origin`; the server has compared it with the registered ones. */
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which old browsers do not send. */
  readonly fetchSite: string | undefined;
}

/**
 * True when the cookies of a request may act for their user: a registered page of the same site sent it. A browser adds cookies
 * to requests that other sites cause, but it never omits the Origin of a request that changes something.
 */
export function mayUseCookies({ method, origin, fetchSite }: Sender): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'same-site') return false;
  return origin !== undefined || (method === 'GET' && fetchSite === 'same-origin');
}

/**
 * The session of several cookies with the same name: the first, unless they belong to different users. A sibling host can add a
 * cookie of its own (cookie tossing), so no order between users is reliable.
 */
export function onlyUser<S extends { readonly user_id: string }>(live: readonly S[]): S | 'ambiguous' | undefined {
  const [first] = live;
  return live.some(({ user_id }) => user_id !== first?.user_id) ? 'ambiguous' : first;
}
