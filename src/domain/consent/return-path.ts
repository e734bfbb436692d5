/** The query parameter of a sign-in page with the path to open afterwards. */
export const RETURN_TO = 'return_to';

/** A placeholder origin that is never contacted: only the path of a URL under it is used. */
const HERE = 'https://here.invalid';

/**
 * The value as a path of this site, in its normal form; the fallback for any other value. Without this check, a page that redirects to a
 * URL from its query could lead to any site.
 */
export function safeReturnPath(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 2_000) return fallback;
  try {
    const { origin, pathname, search, hash } = new URL(value, HERE);
    // A path must not begin with `//`, which starts a host name. Normalization can turn `/.//evil.example` into such a path.
    return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : fallback;
  } catch {
    return fallback;
  }
}
