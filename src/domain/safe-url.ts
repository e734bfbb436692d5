/** The one gate that every URL from a server or a host passes before it reaches the page. */

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const RASTER = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/iu;

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** True for the names and addresses of this very machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** The URL in its normal form if it is https, or http on loopback, and names no user; else null. */
export function safeUrl(text: string): string | null {
  const url = parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return allowed ? url.href : null;
}

/** As `safeUrl`, and raster images as data URLs. SVG is refused: it can carry a script. */
export function safeImageUrl(text: string): string | null {
  return RASTER.test(text) ? text : safeUrl(text);
}
