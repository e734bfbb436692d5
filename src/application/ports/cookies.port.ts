/** The scope of a cookie. `domain: null` means this host only. SameSite is always Lax (specification, section 9). */
export interface CookieScope {
  readonly path: string;
  readonly domain: string | null;
  readonly secure: boolean;
}

/**
 * The page's cookies.
 *
 * - `get` returns exactly the value that was set, with any characters, or null when there is no such cookie;
 * - `set` keeps the cookie until `expiresAt` (milliseconds since 1970), or for the browser session when that is null;
 * - `remove` needs the same scope as `set`;
 * - `all`, which an adapter may leave out, returns every value of the name that the browser sends from this page, in its order, and the one
 *   that it did not keep: a cookie of another scope, of this project or of another, has the same name;
 * - when cookies are blocked, values are kept in memory and nothing throws;
 * - a name, path or domain that could add attributes to the cookie (`;`, `=`, control characters) throws a TypeError.
 */
export interface CookiesPort {
  get(name: string): string | null;
  all?(name: string): readonly string[];
  set(name: string, value: string, scope: CookieScope, expiresAt: number | null): void;
  remove(name: string, scope: CookieScope): void;
}
