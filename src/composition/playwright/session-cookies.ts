import type { BrowserContext } from '@playwright/test';
import { cookiePlace, type CookieOptions } from '#application/session/cookie-options.ts';
import type { SignedInPerson } from './backend.ts';

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

/** The session's cookies as the client sets them on a page at that URL. */
export function sessionCookies(
  { session_token, session_jwt }: SignedInPerson,
  pageUrl: string,
  options: CookieOptions = {},
): Cookie[] {
  const { hostname } = new URL(pageUrl);
  const { names, scope } = cookiePlace(options, hostname);
  const place = {
    // With a leading dot it is also sent to subdomains.
    domain: scope.domain === null ? hostname : `.${scope.domain}`,
    path: scope.path,
    secure: scope.secure,
    sameSite: 'Lax' as const,
  };
  return [
    { name: names.token, value: session_token, ...place },
    { name: names.jwt, value: session_jwt, ...place },
  ];
}
