/** Finds the session's secrets in the headers of a request to an app's own server. */

/** The session credentials of a request. Values are distinct and in the order of the request. */
export interface Credentials {
  readonly jwts: readonly string[];
  readonly tokens: readonly string[];
  /** True when a value cannot be a secret: too long, or with invalid characters. */
  readonly malformed: boolean;
  /** True when the credentials are from cookies, which a browser also sends with requests that other sites cause. */
  readonly isCookie: boolean;
}

/** The names of the cookies that are read, or null when only `Authorization` is. */
export type CookieNames = { readonly token: string; readonly jwt: string } | null;

/** The headers of a `Request`, or of Node's `IncomingMessage`, whose names are in lower case. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The characters of a bearer token (RFC 6750, section 2.1). Both forms of the secret contain only these. */
const TOKEN68 = /^[\w.~+/-]+=*$/u;
const BEARER = /^bearer(?=\s|$)/iu;
/** Includes the scheme of a token with a proof (RFC 9449, section 7.1). */
const BEARER_OR_DPOP = /^(?:bearer|dpop)(?=\s|$)/iu;
const LONGEST_JWT = 16_384;
const LONGEST_TOKEN = 1_024;

/**
 * If there is an `Authorization: Bearer` header, cookies are ignored, because the caller names its session explicitly.
 *
 * @param checksProofs whether the scheme `DPoP` is accepted as well
 */
export function credentialsOf(headers: HeaderSource, names: CookieNames, checksProofs = false): Credentials {
  const authorization = valueOf(headers, 'authorization').trim();
  const scheme = checksProofs ? BEARER_OR_DPOP : BEARER;
  if (scheme.test(authorization)) return sorted([authorization.replace(scheme, '').trim()], false);
  if (names === null) return sorted([], false);
  const cookieNames = new Set([names.token, names.jwt]);
  // A cookie emptied by a sign-out counts as missing.
  const ours = cookiesIn(valueOf(headers, 'cookie')).filter(([name, value]) => cookieNames.has(name) && value !== '');
  return sorted(
    ours.map(([, value]) => value),
    ours.length > 0,
  );
}

/**
 * The value of a header, or an empty text. In a plain object, a header named `get` is a string, which must not be confused with the method
 * `get` of `Headers`.
 */
export function valueOf(headers: HeaderSource, name: string): string {
  const found =
    typeof headers.get === 'function' ? headers.get(name) : Object.entries(headers).find(([key]) => key === name)?.[1];
  return [found ?? []].flat().join('; ');
}

/** Every pair of the header, including several with one name (RFC 6265, section 5.4). A value may be in quotation marks. */
export function cookiesIn(header: string): readonly (readonly [name: string, value: string])[] {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 0) return [];
    const value = pair.slice(at + 1).trim();
    return [[pair.slice(0, at).trim(), /^".*"$/u.test(value) ? value.slice(1, -1) : value] as const];
  });
}

/** Distinguishes the secrets by their form, because a host may store either one under either name. A JWT has three parts. */
function sorted(values: readonly string[], isCookie: boolean): Credentials {
  const distinct = [...new Set(values)];
  const isJwt = (value: string): boolean => value.split('.', 4).length === 3;
  const usable = distinct.filter(
    (value) => TOKEN68.test(value) && value.length <= (isJwt(value) ? LONGEST_JWT : LONGEST_TOKEN),
  );
  return {
    jwts: usable.filter(isJwt),
    tokens: usable.filter((value) => !isJwt(value)),
    malformed: usable.length < distinct.length,
    isCookie,
  };
}
