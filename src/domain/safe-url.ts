/** The checks that every URL from a server or a host must pass before it reaches the page. */

export const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/iu;

/**
 * A scheme, `//`, and an authority: a host (ASCII labels separated by dots, or an IPv6 address) and an optional port. It is
 * matched against the original text, because browsers repair malformed URLs differently: some keep spaces in a host; all drop
 * tabs and line breaks and read `\` as `/`.
 */
const AUTHORITY =
  /^[a-zA-Z]+:\/\/((?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:[/?#]|$)/u;

/** The URL when its host is valid and written in its normal form (internationalized names in ASCII); else null. */
function strictUrl(text: string): URL | null {
  const host = AUTHORITY.exec(text)?.[1] ?? '';
  if (host === '' || /\p{Cc}/u.test(text)) return null;
  try {
    const url = new URL(text);
    // An IPv4 address in another notation, such as `0x7f.1`, is parsed into another host name.
    return host.startsWith('[') || url.hostname === host.toLowerCase() ? url : null;
  } catch {
    return null;
  }
}

/** True for a loopback name or address: `localhost`, `*.localhost`, `127.0.0.0/8`, `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * The only place that decides which URLs are safe for credentials: those with https, and http on a loopback host.
 *
 * @param http true for http on every host, or the one other origin with http that is allowed
 */
export function isSecureUrl(
  { protocol, hostname, origin }: Pick<URL, 'protocol' | 'hostname' | 'origin'>,
  http: boolean | string = false,
): boolean {
  const allowsHttp = http === true || http === origin || isLoopbackHost(hostname);
  return protocol === 'https:' || (protocol === 'http:' && allowsHttp);
}

/** The normalized URL when `isSecureUrl` allows it and its host is valid; else null. */
export function safeUrl(text: string, http: boolean | string = false): string | null {
  const url = strictUrl(text);
  return url !== null && isSecureUrl(url, http) ? url.href : null;
}

/**
 * A URI with a native app's private scheme (RFC 8252, section 7.1): a reversed domain name, then `/` and a path, or `//`, a host
 * without user information, and a path. The dot in the scheme excludes `javascript:`, `data:`, `file:` and the like. One scheme has no
 * dot: the editor Cursor registers `cursor://anysphere.cursor-mcp/oauth/callback` at every MCP server.
 */
const PRIVATE_USE =
  /^(?:cursor|[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+):\/(?!\/(?![\w.-]*(?::\d{1,5})?(?:[/?#]|$)))[\w!#$%&'()*+,./:;=?@[\]~-]*$/iu;

/** True for a private-use URI, such as `com.example.app:/callback`. */
export function isPrivateUseUri(text: string): boolean {
  return PRIVATE_USE.test(text);
}

/** A path that begins with `/`, `./` or `../`, or a file name: no scheme, no host, no character that browsers repair. */
const RELATIVE = /^(?:\.{0,2}\/(?!\/)|(?=\w[\w./-]*\.\w{2,5}(?:[?#]|$)))[\w.~:/?#@!$&'()*+,;=%-]*$/u;

/**
 * Like `safeUrl`, but also accepts raster images as data URLs. SVG data URLs are refused, because SVG can contain scripts.
 *
 * @param base the page's URL; when given, relative URLs such as `/logo.png` are resolved against it
 */
export function safeImageUrl(text: string, base?: string): string | null {
  if (RASTER.test(text)) return text;
  if (base === undefined || !RELATIVE.test(text)) return safeUrl(text);
  try {
    const { protocol, href } = new URL(text, base);
    return /^https?:$/u.test(protocol) ? href : null;
  } catch {
    return null;
  }
}

/** A base for paths when the page does not matter. */
export const ANY_PAGE = 'http://a';

/** True for a valid URL of a help link: https, a path of the site, or `mailto:`. */
export const isHelpUrl = (text: string): boolean =>
  /^mailto:/iu.test(text) || (!RASTER.test(text) && safeImageUrl(text, ANY_PAGE) !== null);
