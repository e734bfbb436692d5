import { isLoopbackHost } from '../safe-url.ts';
import { LINK_MINUTES, minutesIn, type MinutesRange } from './lifetimes.ts';
import { Refusal } from './refusal.ts';

/** The registered pages of a project. URLs are compared exactly (RFC 9700, section 2.1). */
export interface RegisteredPages {
  /** Of pages, and of browser extensions. */
  readonly origins: readonly string[];
  readonly redirect_urls: readonly string[];
  /** Registers every origin and redirect URL of this machine. */
  readonly allow_loopback: boolean;
}

export interface DefaultRedirects {
  readonly default_login_redirect_url: string;
  readonly default_signup_redirect_url: string;
  readonly default_reset_password_redirect_url: string;
}

type RegisteredRedirects = Pick<RegisteredPages, 'redirect_urls' | 'allow_loopback'>;

/** The text before the path, as browsers read it: after any number of slashes of either kind, without tabs and line breaks. */
const AUTHORITY = /^[\0- ]*[a-z][a-z\d+.\-\t\n\r]*:[/\\\t\n\r]*([^/\\?#]*)/iu;
/** The maximum length of an authority with a user and a port. A host has at most 253 characters (RFC 1035, section 2.3.4). */
const LONGEST_AUTHORITY = 1024;

/**
 * The URL; null for any other text, and for a host that is too long: converting internationalized hosts for a comparison takes quadratic
 * time.
 */
export function parsedUrl(text: string): URL | null {
  if ((AUTHORITY.exec(text)?.[1] ?? '').length > LONGEST_AUTHORITY) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** True for a single http or https origin, without anything else. */
export function isOrigin(text: string): boolean {
  const url = parsedUrl(text);
  return url !== null && url.origin === text && /^https?:$/u.test(url.protocol) && !text.includes('*');
}

/** The id is 32 letters from a to p in Chromium, and a UUID in Firefox. */
const EXTENSION = /^(?:chrome-extension:\/\/[a-p]{32}|moz-extension:\/\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/u;

/** True for the origin of one browser extension, as browsers send it. */
export const isExtensionOrigin = (text: string): boolean => EXTENSION.test(text);

/** The origins of pages, without those of extensions. */
export const pageOrigins = (origins: readonly string[]): readonly string[] =>
  origins.filter((origin) => !isExtensionOrigin(origin));

/** True for the `Origin` of a page on this machine. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = parsedUrl(origin);
  return url !== null && isOrigin(origin) && isLoopbackHost(url.hostname);
}

type RegisteredOrigins = Pick<RegisteredPages, 'origins' | 'allow_loopback'>;

/** True for the origin of a registered page. */
export function allowsOrigin({ origins, allow_loopback }: RegisteredOrigins, origin: string): boolean {
  return pageOrigins(origins).includes(origin) || (allow_loopback && isLoopbackOrigin(origin));
}

/** True for the origin of a registered page or extension. An extension may call the API, and nothing else. */
export const allowsCaller = (project: RegisteredOrigins, origin: string): boolean =>
  allowsOrigin(project, origin) || (isExtensionOrigin(origin) && project.origins.includes(origin));

/** The URL in its normal form if it is registered, else null. */
export function redirectUrl({ redirect_urls, allow_loopback }: RegisteredRedirects, text: string): URL | null {
  const url = parsedUrl(text);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  if (redirect_urls.includes(text)) return url;
  return allow_loopback && url.hash === '' && isLoopbackHost(url.hostname) ? url : null;
}

/** The target of a message's link, and the link's lifetime. */
export interface LinkTarget {
  readonly redirect: URL;
  readonly minutes: number;
}

/** The widget's option for each kind of redirect. */
const OPTIONS = {
  login: 'loginRedirectURL',
  signup: 'signupRedirectURL',
  reset_password: 'resetPasswordRedirectURL',
} as const;

/** The message for developers: the option with the value, and the setting that lacks it. */
function unregistered(field: string, kind: keyof typeof OPTIONS): string {
  return `${field} (of a widget: ${OPTIONS[kind]}) is not registered: add it to redirect_urls of the project file.`;
}

type LinkKind = 'login' | 'signup' | 'reset_password';

/** The fields of a request about a link: `[field, value]`. */
export interface RequestedTarget {
  readonly url: readonly [field: string, given: string | undefined];
  readonly minutes: readonly [field: string, given: number | undefined, range?: MinutesRange];
}

/** The maximum lifetime of an emailed link, in minutes, whatever the request sets; null for no maximum. */
export interface LinkLimit {
  readonly link_max_minutes: number | null;
}

/**
 * The requested target, or the project's default. Throws a Refusal for an unregistered URL. A lifetime longer than the project allows is
 * shortened, not refused, so that every client gets a link.
 */
export function linkTarget(
  project: RegisteredRedirects & DefaultRedirects & LinkLimit,
  kind: LinkKind,
  target: RequestedTarget,
): LinkTarget {
  const [field, url] = target.url;
  const redirect = redirectUrl(project, url ?? project[`default_${kind}_redirect_url`]);
  if (redirect === null) {
    throw new Refusal('no_match_for_provided_magic_link_url', unregistered(field, kind));
  }
  const [name, minutes, range = LINK_MINUTES] = target.minutes;
  return { redirect, minutes: Math.min(minutesIn(name, range, minutes), project.link_max_minutes ?? Infinity) };
}

/** The final pages of a social login, for existing and for new users. */
export interface OAuthRedirects {
  readonly login_redirect_url: string;
  readonly signup_redirect_url: string;
}

/** Both are checked before the login starts. */
export function oauthRedirects(
  project: RegisteredRedirects & DefaultRedirects,
  urls: { readonly login: string | undefined; readonly signup: string | undefined },
): OAuthRedirects {
  return {
    login_redirect_url: registered(project, 'login', urls.login),
    signup_redirect_url: registered(project, 'signup', urls.signup),
  };
}

function registered(project: RegisteredRedirects & DefaultRedirects, kind: 'login' | 'signup', href?: string): string {
  const url = redirectUrl(project, href ?? project[`default_${kind}_redirect_url`]);
  if (url !== null) return url.href;
  if (href === undefined) throw new Refusal(`no_${kind}_redirect_urls_set`);
  throw new Refusal('no_match_for_provided_oauth_url', unregistered(`${kind}_redirect_url`, kind));
}

/** The values that the client reads from the redirect URL's query. */
export type TokenType = 'magic_links' | 'login' | 'reset_password' | 'oauth';

/** The redirect URL with the token in its query. */
export function withToken(redirect: string, token: string, type: TokenType): string {
  const url = new URL(redirect);
  url.searchParams.set('stytch_token_type', type);
  url.searchParams.set('token', token);
  return url.href;
}
