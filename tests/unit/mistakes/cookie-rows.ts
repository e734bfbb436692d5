import type { CookieOptions } from '#application/session/cookie-options.ts';
import type { Rows } from './option-rows.ts';

/** The members of `cookieOptions`, of a client and of the Playwright fixtures. */
export const COOKIES: Rows<CookieOptions> = {
  opaqueTokenCookieName: { wrongType: [7, '', 'a b', 'stytch_session_jwt'] },
  jwtCookieName: { wrongType: [7, '', 'a;b', 'stytch_session'] },
  istCookieName: { wrongType: [7, '', 'a=b', 'stytch_session', 'stytch_session_jwt'] },
  path: { wrongType: [7, '', '/a b', 'app', './app'] },
  domain: { wrongType: [7, '', 'a,b'] },
  availableToSubdomains: { wrongType: ['yes', 1] },
};
