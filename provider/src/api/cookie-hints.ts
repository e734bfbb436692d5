import { createHmac } from 'node:crypto';
import { cookiesIn } from '#domain/sessions/request-credentials.ts';
import { hintName } from '#domain/sessions/session-hint.ts';
import { derivedKey, sameSecret } from '#provider/base/security/secrets.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import type { Services } from './services.ts';

/** Where this server stores the cookies of a session. */
export interface CookiePlace {
  readonly domain: string;
  readonly token: string;
  readonly jwt: string;
}

type HintServices = Pick<Services, 'keys'> & { readonly project: Pick<Services['project'], 'public_token'> };

const SUFFIX = hintName('');
/** Half of a SHA-256, in hexadecimal digits. */
const SIGNATURE_LENGTH = 32;

/**
 * The value of the hint: the project, where the cookies are, and a signature, so that nobody else can make this server expire cookies.
 * Scripts can read it, but it gives no access.
 */
export function hintOf({ keys, project }: HintServices, { domain, token, jwt }: CookiePlace): string {
  const key = derivedKey(keys.codeKey, 'portico: hints of cookies');
  const place = [encodeURIComponent(project.public_token), domain, jwt];
  const signature = createHmac('sha256', key)
    .update([...place, token].join(':'))
    .digest('hex');
  return [...place, signature.slice(0, SIGNATURE_LENGTH)].join(':');
}

/** The places of this project's cookies, according to the hints of a request. Includes the current one. */
export function hintedPlaces(services: HintServices, cookie: string): readonly CookiePlace[] {
  return cookiesIn(cookie).flatMap(([name, value]) => {
    const [, domain = '', jwt = ''] = value.split(':');
    const place = { domain, token: name.slice(0, -SUFFIX.length), jwt };
    return name.endsWith(SUFFIX) && sameSecret(value, hintOf(services, place)) ? [place] : [];
  });
}

/** The names of the cookies in a place. */
export const namesIn = ({ token, jwt }: CookiePlace): readonly string[] => [token, jwt, hintName(token)];

/** Browsers disagree about `Domain=localhost`. Without it, the cookies are sent to every port of that host. */
export const domainAttribute = (domain: string): string => (domain === 'localhost' ? '' : domain);

/** A `Set-Cookie` line that expires a cookie. */
export function expired(name: string, path: string, domain: string): string {
  // Without it, browsers refuse a name with the prefix __Secure- or __Host-.
  const secure = /^__(?:secure|host)-/iu.test(name) ? '; Secure' : '';
  return `${name}=; Max-Age=0; Path=${path}${domain === '' ? '' : `; Domain=${domain}`}${secure}`;
}

/**
 * The `Set-Cookie` lines that expire the cookies of earlier project settings.
 *
 * @param places according to the hints of the request
 * @param now the current place; null if this server no longer stores cookies
 */
export function earlierCookies(places: readonly CookiePlace[], now: CookiePlace | null): readonly string[] {
  const currentNames = now === null ? [] : namesIn(now);
  const lines = places.flatMap((place) =>
    namesIn(place)
      .filter((name) => place.domain !== now?.domain || !currentNames.includes(name))
      .map((name) => expired(name, '/', domainAttribute(place.domain))),
  );
  return [...new Set(lines)];
}

/** If this server does not store sessions in cookies, expires the cookies from a time when it did. */
export function removeEarlierCookies(services: Pick<Services, 'keys' | 'project'>, context: AppContext): void {
  const cookie = context.req.header('cookie');
  if (cookie === undefined) return;
  for (const line of earlierCookies(hintedPlaces(services, cookie), null)) {
    context.header('Set-Cookie', line, { append: true });
  }
}
