/** Where a cookie is valid. `domain: null` means this host only. SameSite is always Lax (specification, section 9). */
export interface CookieScope {
  readonly path: string;
  readonly domain: string | null;
  readonly secure: boolean;
}

/**
 * The page's cookies.
 *
 * - `get` answers null for a cookie that is not there, and the value as it was set, whatever characters it holds;
 * - `set` keeps the cookie until `expiresAt` (milliseconds since 1970), or for the browser session when that is null;
 * - `remove` takes the same scope as `set` did;
 * - blocked cookies degrade to memory and do not throw;
 * - a name, path or domain that could carry attributes of its own (`;`, `=`, control characters) is refused with a
 *   TypeError.
 */
export interface CookiesPort {
  get(name: string): string | null;
  set(name: string, value: string, scope: CookieScope, expiresAt: number | null): void;
  remove(name: string, scope: CookieScope): void;
}
