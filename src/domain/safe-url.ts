/** The one gate that every URL from a server or a host passes before it reaches the page. */

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/iu;

/**
 * A scheme, `//`, and an authority of a host and perhaps a port: ASCII labels with dots between them, or an IPv6 address.
 * It is compared with the text before the browser's parser may mend it, because browsers mend differently: some let
 * spaces stand in a host, all drop tabs and line breaks and take `\` for `/`.
 */
const AUTHORITY =
  /^[a-zA-Z]+:\/\/((?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:[/?#]|$)/u;

/** The URL where its host is a valid one, spelled as it is (internationalized names in their ASCII form); else null. */
function strictUrl(text: string): URL | null {
  const host = AUTHORITY.exec(text)?.[1] ?? '';
  if (host === '' || /\p{Cc}/u.test(text)) return null;
  try {
    const url = new URL(text);
    // A number that is written in another way than the dotted one becomes another host.
    return host.startsWith('[') || url.hostname === host.toLowerCase() ? url : null;
  } catch {
    return null;
  }
}

/** True for the names and addresses of this very machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** The URL in its normal form if it is https, or http on loopback, and its host is a valid one; else null. */
export function safeUrl(text: string): string | null {
  const url = strictUrl(text);
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  return allowed ? url.href : null;
}

/**
 * A URI of a native app's own scheme (RFC 8252, section 7.1): a domain's name in reverse, so that it has a dot, which the
 * schemes that run scripts or open files have not; then `/` and a path, or `//`, a host that names no user, and a path.
 */
const PRIVATE_USE =
  /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\/(?:\/[\w.-]*(?::\d{1,5})?(?=[/?#]|$)|(?!\/))[\w!#$%&'()*+,./:;=?@[\]~-]*$/iu;

/** True for a private-use URI, such as `com.example.app:/callback`. */
export function isPrivateUseUri(text: string): boolean {
  return PRIVATE_USE.test(text);
}

/** A path with `/` or `./` before it, or the name of a file: no scheme, no host, and nothing that a browser would mend. */
const RELATIVE = /^(?:\.{0,2}\/(?!\/)|(?=\w[\w./-]*\.\w{2,5}(?:[?#]|$)))[\w.~:/?#@!$&'()*+,;=%-]*$/u;

/**
 * As `safeUrl`, and raster images as data URLs. SVG is refused there: it can carry a script.
 *
 * @param base the address of a page of whose own origin an image may be, such as `/logo.png`
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
