import { SDKUsageError } from '#domain/errors.ts';
import { checkNames } from '#domain/widget/option-names.ts';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { wrongFields, type Shape } from '#domain/shape.ts';
import type { CookieScope } from '../ports/index.ts';

/** The names and the scope of the session's cookies. */
export interface CookieOptions {
  /** Default: `stytch_session`. */
  readonly opaqueTokenCookieName?: string;
  /** Default: `stytch_session_jwt`. */
  readonly jwtCookieName?: string;
  /** Default: `stytch_intermediate_session_token`. */
  readonly istCookieName?: string;
  /** Default: `/`. */
  readonly path?: string;
  /** Default: the page's host. */
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

export const COOKIE_OPTIONS: readonly string[] = Object.keys(SHAPE);

/** Characters that could end a cookie's name, path or domain and start an attribute. */
const UNSAFE = /[\s;,="\\\p{Cc}]/u;

function refuse(details: string): never {
  throw new SDKUsageError('PorticoClient', `cookieOptions.${details}`);
}

/** Each cookie needs a different name, including the defaults of the others. */
function checkDistinct(options: CookieOptions): void {
  const { token, jwt, intermediate } = cookieNames(options);
  const names = { opaqueTokenCookieName: token, jwtCookieName: jwt, istCookieName: intermediate };
  const all = Object.entries(names);
  for (const [at, [field, name]] of all.entries()) {
    const same = all.slice(0, at).find(([, other]) => other === name)?.[0];
    if (same) refuse(`${field} must not be ${JSON.stringify(name)}, which is the name of ${same}`);
  }
}

/** Throws an SDKUsageError that names the first invalid option. */
export function checkCookieOptions(options: CookieOptions): void {
  checkNames('cookieOptions:', options, COOKIE_OPTIONS);
  const wrong = wrongFields(SHAPE, options)[0];
  if (wrong) refuse(wrong.message);
  const { path = '/', domain, availableToSubdomains } = options;
  const isWide = path !== '/' || domain !== undefined || availableToSubdomains;
  for (const [field, value] of Object.entries(options)) {
    if (typeof value !== 'string') continue;
    if (value === '' || UNSAFE.test(value)) refuse(`${field} must be a string without spaces or any of ;,="\\`);
    // Browsers would not store such a cookie (RFC 6265bis, section 4.1.3.2).
    if (isWide && field.endsWith('Name') && /^__host-/iu.test(value))
      refuse(`${field} must not begin with __Host- beside path, domain or availableToSubdomains`);
  }
  // Browsers would use the page's folder instead (RFC 6265, section 5.2.4).
  if (options.path?.startsWith('/') === false) refuse('path must be a path from the root of the host, such as /app');
  checkDistinct(options);
}

/** The cookies with the session's secrets: the names of the session's pair, and of the intermediate session's cookie. */
export interface CookiePlace {
  readonly names: { readonly token: string; readonly jwt: string; readonly intermediate: string };
  readonly scope: CookieScope;
}

export const cookieNames = (options: CookieOptions): CookiePlace['names'] => ({
  token: options.opaqueTokenCookieName ?? 'stytch_session',
  jwt: options.jwtCookieName ?? 'stytch_session_jwt',
  intermediate: options.istCookieName ?? 'stytch_intermediate_session_token',
});

/** The cookies of the session on a page of that host. */
export function cookiePlace(options: CookieOptions, hostname: string): CookiePlace {
  return {
    names: cookieNames(options),
    scope: {
      path: options.path ?? '/',
      // As browsers interpret it (RFC 6265, section 5.2.3).
      domain:
        options.domain?.replace(/^\./u, '').toLowerCase() ?? (options.availableToSubdomains === true ? hostname : null),
      secure: !isLoopbackHost(hostname),
    },
  };
}
