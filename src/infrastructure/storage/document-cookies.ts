import type { ClockPort, CookieScope, CookiesPort } from '#application/ports/index.ts';
import { fitsCookie } from '#domain/sessions/cookie-size.ts';
import { UnsavedValues, type PlatformValue } from './web-storage.ts';

/** A cookie name is a token (RFC 6265, section 4.1.1; RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/u;
/** Characters that could end an attribute and begin another. */
// oxlint-disable-next-line no-control-regex
const BREAKS_OUT = /[;=\u0000-\u001f\u007f]/u;

/** Throws a TypeError for an invalid cookie name. */
export function assertCookieName(name: string): void {
  if (!NAME.test(name)) throw new TypeError("A cookie name must be a token of letters, digits and !#$%&'*+-.^_`|~");
}

/** Throws a TypeError for a path or domain that could add attributes to the cookie. */
export function assertCookieScope({ path, domain }: CookieScope): void {
  if (BREAKS_OUT.test(path + (domain ?? ''))) {
    throw new TypeError("A cookie path or domain must not hold ';', '=' or a control character");
  }
}

interface CookieEntry {
  readonly value: string | null;
  readonly expiresAt: number | null;
}

const EPOCH = new Date(0);

/** The decoded value. A value with a malformed escape, which another program wrote, is returned unchanged. */
function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/**
 * Cookies through `document.cookie` (RFC 6265, section 5). A refused write fails silently, or throws in a sandboxed frame. Therefore every
 * write is read back. A value that the browser did not keep, for example because it is too long for a cookie, stays readable in this page
 * until it expires.
 */
export class DocumentCookies implements CookiesPort {
  private readonly unsaved = new UnsavedValues<CookieEntry>();

  constructor(
    private readonly document: { cookie: string },
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  get(name: string): string | null {
    const platformValue = this.read(name);
    const mine = this.unsaved.get(name, platformValue);
    if (mine === undefined) return platformValue ?? null;
    return mine.expiresAt !== null && mine.expiresAt <= this.clock.now() ? null : mine.value;
  }

  all(name: string): readonly string[] {
    const values = this.values(name) ?? [];
    const mine = this.get(name);
    return mine === null || values.includes(mine) ? values : [...values, mine];
  }

  /** Throws a TypeError for an invalid name, or a path or domain that could add attributes. */
  set(name: string, value: string, scope: CookieScope, expiresAt: number | null): void {
    this.write(name, value, scope, expiresAt);
  }

  /** Throws a TypeError like `set`. */
  remove(name: string, scope: CookieScope): void {
    this.write(name, null, scope, null);
  }

  private write(name: string, value: string | null, scope: CookieScope, expiresAt: number | null): void {
    assertCookieName(name);
    assertCookieScope(scope);
    this.unsaved.delete(name);
    try {
      const text = encodeURIComponent(value ?? '');
      // A value that is too long removes the cookie. Otherwise the browser would keep an older value, which the app's server would read.
      const isRemoval = value === null || !fitsCookie(name, text);
      const expires = isRemoval ? EPOCH : expiresAt === null ? null : new Date(expiresAt);
      this.document.cookie =
        `${name}=${isRemoval ? '' : text}; Path=${scope.path}; SameSite=Lax` +
        (scope.domain === null ? '' : `; Domain=${scope.domain}`) +
        (scope.secure ? '; Secure' : '') +
        (expires === null ? '' : `; Expires=${expires.toUTCString()}`);
    } catch {
      // Reading the value back shows whether it was written.
    }
    const platformValue = this.read(name);
    if (platformValue !== value) this.unsaved.set(name, { value, expiresAt }, platformValue);
  }

  private read(name: string): PlatformValue {
    const values = this.values(name);
    return values && (values[0] ?? null);
  }

  /** Undefined if the browser does not allow reading. */
  private values(name: string): readonly string[] | undefined {
    try {
      return this.document.cookie.split(';').flatMap((pair) => {
        const at = pair.indexOf('=');
        return at >= 0 && pair.slice(0, at).trim() === name ? [decoded(pair.slice(at + 1).trim())] : [];
      });
    } catch {
      return undefined;
    }
  }
}
