/** The scope of a cookie. `domain: null` means this host only. SameSite is always Lax (specification, section 9). */
export interface CookieScope {
  readonly path: string;
  readonly domain: string | null;
  readonly secure: boolean;
}

/**
 * The page's cookies.
 *
 * - `get` returns exactly the value that was set, with any characters, or null if there is no such cookie;
 * - `set` keeps the cookie until `expiresAt` (milliseconds since 1970), or for the browser session if that is null;
 * - `remove` needs the same scope as `set`;
 * - `all` is optional: it returns every value that the browser sends for this name from this page, in its order. There are several if a
 *   cookie of another scope, of this project or another one, has the same name. It includes a value that the browser did not store;
 * - if cookies are blocked, values are kept in memory and nothing throws;
 * - a name, path or domain that could add attributes to the cookie (`;`, `=`, control characters) throws a TypeError.
 */
export interface CookiesPort {
  get(name: string): string | null;
  all?(name: string): readonly string[];
  set(name: string, value: string, scope: CookieScope, expiresAt: number | null): void;
  remove(name: string, scope: CookieScope): void;
}
