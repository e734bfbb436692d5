import { isWithin, type SessionCookieNames } from '#domain/rules/session-cookies.ts';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { hintName } from '#domain/sessions/session-hint.ts';
import { flag, Mistakes, object, oneOf, textThat } from '../readers/readers.ts';

/** How browsers store the session. */
export interface SessionCookieSettings {
  /** True if this server sets the cookies, so that no script can read them. */
  readonly http_only: boolean;
  /** The `Domain` of the cookies. The pages, the app's servers and this server are on its hosts. */
  readonly domain: string | null;
  readonly same_site: 'lax' | 'strict';
  /** Must equal the client's `cookieOptions` and the options of `createVerifier`. */
  readonly names: SessionCookieNames;
  /**
   * Whether sessions are bound to browsers that support device-bound session credentials, and which requests wait for a new proof: those to
   * this server (`origin`), or those to all hosts of the domain (`site`).
   */
  readonly device_bound: 'off' | 'origin' | 'site';
}

const NAMES: SessionCookieNames = { token: 'stytch_session', jwt: 'stytch_session_jwt' };

export const NO_SESSION_COOKIES: SessionCookieSettings = {
  http_only: false,
  domain: null,
  same_site: 'lax',
  names: NAMES,
  device_bound: 'off',
};

/** Lower-case labels, at least two, because browsers refuse cookies for a whole top-level domain. */
const DOMAIN = /^(?:localhost|(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d])$/u;

const NAME = textThat(
  "a cookie's name of at most 64 characters, without the prefix __Host-, which forbids a domain",
  (name) => /^[\w!#$%&'*+.^`|~-]{1,64}$/u.test(name) && !/^__host-/iu.test(name),
);

export const sessionCookies = object<SessionCookieSettings>(
  {
    http_only: flag,
    domain: textThat('a domain in lower case such as example.com', (domain) => DOMAIN.test(domain)),
    // With SameSite=None, requests caused by any other site would carry the session.
    same_site: oneOf('lax', 'strict'),
    names: object<SessionCookieNames>({ token: NAME, jwt: NAME }, NAMES),
    device_bound: oneOf('off', 'origin', 'site'),
  },
  NO_SESSION_COOKIES,
);

interface Addresses {
  readonly session_cookies: SessionCookieSettings;
  readonly issuer: string | null;
  readonly origins: readonly string[];
}

/** Refuses settings with which browsers would not store or send the cookies. */
export function checkSessionCookies({ session_cookies: settings, issuer, origins }: Addresses): void {
  const { http_only, domain, names, device_bound } = settings;
  const mistakes = new Mistakes();
  if (!http_only) {
    mistakes.refuseIf(device_bound !== 'off', 'session_cookies.device_bound', 'off unless http_only is true');
    return mistakes.check();
  }
  const isSame = new Set([names.token, names.jwt, hintName(names.token)]).size < 3;
  const other = 'other than names.token, and than names.token with _hint';
  mistakes.refuseIf(isSame, 'session_cookies.names.jwt', other);
  if (domain === null) mistakes.refuseIf(true, 'session_cookies.domain', 'given when http_only is true');
  else checkDomain(settings, domain, { issuer, origins }, mistakes);
  return mistakes.check();
}

function checkDomain(
  { names, device_bound }: SessionCookieSettings,
  domain: string,
  { issuer, origins }: Omit<Addresses, 'session_cookies'>,
  mistakes: Mistakes,
): void {
  const isLocal = isLoopbackHost(domain);
  const isBound = device_bound !== 'off' && isLocal;
  mistakes.refuseIf(isBound, 'session_cookies.device_bound', 'off on this machine, which has no https');
  const isPrefixed = isLocal && /^__secure-/imu.test(`${names.token}\n${names.jwt}`);
  const without = 'without the prefix __Secure- on this machine, which has no https';
  mistakes.refuseIf(isPrefixed, 'session_cookies.names', without);
  const serves = (origin: string): boolean => {
    const { protocol, hostname } = new URL(origin);
    return isWithin(domain, hostname) && (protocol === 'https:' || isLocal);
  };
  const needed = 'given when http_only is true, because session_cookies.domain must contain its host';
  mistakes.refuseIf(issuer === null && !isLocal, 'issuer', needed);
  const parent = 'the host of issuer or a parent of it, and issuer an https address';
  mistakes.refuseIf(issuer !== null && !serves(issuer), 'session_cookies.domain', parent);
  origins.forEach((origin, index) => {
    mistakes.refuseIf(!serves(origin), `origins[${index}]`, 'an https origin on a host of session_cookies.domain');
  });
}
