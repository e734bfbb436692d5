import { SDKUsageError } from '../../domain/errors.ts';
import { isLoopbackHost } from '../../domain/safe-url.ts';
import type { SessionTokens } from '../../domain/session.ts';
import { wrongFields, type Shape } from '../../domain/shape.ts';
import type { BrowserPort, ClockPort, CookieScope, CookiesPort } from '../ports/index.ts';

/** The names and the scope of the session's cookies. */
export interface CookieOptions {
  /** `stytch_session` unless given. */
  readonly opaqueTokenCookieName?: string;
  /** `stytch_session_jwt` unless given. */
  readonly jwtCookieName?: string;
  /** `stytch_intermediate_session_token` unless given. */
  readonly istCookieName?: string;
  /** `/` unless given. */
  readonly path?: string;
  /** The page's own host unless given. */
  readonly domain?: string;
  /** Makes the cookies valid for the page's host and all its subdomains. */
  readonly availableToSubdomains?: boolean;
}

const SHAPE = {
  opaqueTokenCookieName: 'string?',
  jwtCookieName: 'string?',
  istCookieName: 'string?',
  path: 'string?',
  domain: 'string?',
  availableToSubdomains: 'boolean?',
} as const satisfies Shape;

/** Characters that could end a cookie's name, path or domain and start an attribute. */
const UNSAFE = /[\s;,="\\\p{Cc}]/u;

/** Throws an SDKUsageError that names the first invalid option. */
export function checkCookieOptions(options: CookieOptions): void {
  const wrong = wrongFields(SHAPE, options)[0];
  if (wrong) throw new SDKUsageError('PorticoClient', `cookieOptions.${wrong.message}`);
  for (const [field, value] of Object.entries(options)) {
    if (typeof value === 'string' && (value === '' || UNSAFE.test(value))) {
      throw new SDKUsageError(
        'PorticoClient',
        `cookieOptions.${field} must be a string without spaces or any of ;,="\\`,
      );
    }
  }
}

/** The lifetime of an intermediate session: ten minutes (specification, section 9). */
const INTERMEDIATE_MS = 600_000;

/** The cookies with the session's secrets: two for the session, one for an intermediate session. */
export class SessionCookies {
  private readonly names: { readonly token: string; readonly jwt: string; readonly intermediate: string };
  private readonly scope: CookieScope;

  constructor(
    private readonly cookies: CookiesPort,
    private readonly clock: ClockPort,
    browser: BrowserPort,
    options: CookieOptions,
  ) {
    this.names = {
      token: options.opaqueTokenCookieName ?? 'stytch_session',
      jwt: options.jwtCookieName ?? 'stytch_session_jwt',
      intermediate: options.istCookieName ?? 'stytch_intermediate_session_token',
    };
    this.scope = {
      path: options.path ?? '/',
      domain: options.domain ?? (options.availableToSubdomains === true ? browser.hostname : null),
      secure: !isLoopbackHost(browser.hostname),
    };
  }

  /** Both tokens, or null when either is missing. */
  tokens(): SessionTokens | null {
    const session_token = this.cookies.get(this.names.token);
    const session_jwt = this.cookies.get(this.names.jwt);
    return session_token && session_jwt ? { session_token, session_jwt } : null;
  }

  /** The secret that is sent to the server: the opaque token, else the signed one, else null. */
  secret(): string | null {
    return this.cookies.get(this.names.token) || this.cookies.get(this.names.jwt) || null;
  }

  /** The intermediate token, or null when there is none or it has expired. */
  intermediate(): string | null {
    return this.cookies.get(this.names.intermediate) || null;
  }

  /**
   * Stores the session's tokens and removes the intermediate one (section 4). The cookie of a missing or empty token is removed,
   * because the server keeps that token in an HttpOnly cookie.
   *
   * @param expiresAt milliseconds since 1970, or null for the browser session
   */
  store(tokens: Partial<SessionTokens>, expiresAt: number | null): void {
    this.put(this.names.token, tokens.session_token, expiresAt);
    this.put(this.names.jwt, tokens.session_jwt, expiresAt);
    this.put(this.names.intermediate, undefined, null);
  }

  /** Stores an intermediate token and removes the session's tokens (section 4). */
  storeIntermediate(token: string): void {
    this.clear();
    this.put(this.names.intermediate, token, this.clock.now() + INTERMEDIATE_MS);
  }

  clear(): void {
    this.store({}, null);
  }

  private put(name: string, value: string | undefined, expiresAt: number | null): void {
    if (value) this.cookies.set(name, value, this.scope, expiresAt);
    else this.cookies.remove(name, this.scope);
  }
}
