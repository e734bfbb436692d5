/** The name under which a sign-in page is told where to go afterwards. */
export const RETURN_TO = 'return_to';

/** Made up, and never sent anywhere: only the path of an address under it is used. */
const HERE = 'https://here.invalid';

/**
 * The value as a path of this very site, in its normal form; the fallback for everything else. A page that sends its visitor to
 * an address of the query would lead to any site otherwise.
 */
export function safeReturnPath(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 2_000) return fallback;
  try {
    const { origin, pathname, search, hash } = new URL(value, HERE);
    // `//` begins the name of a host, also where a path such as `/.//evil.example` has become one.
    return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : fallback;
  } catch {
    return fallback;
  }
}
