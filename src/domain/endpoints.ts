import { safeUrl } from './safe-url.ts';

/** Where the server is (specification, sections 7 and 9). A domain, with a port if need be, or an origin. */
export interface EndpointOptions {
  /** The API's host for live tokens: `api.stytch.com` unless given. */
  readonly apiDomain?: string;
  /** The API's host for tokens that contain `public-token-test`: `test.stytch.com` unless given. */
  readonly testApiDomain?: string;
  /** Where device telemetry is sent. */
  readonly dfppaDomain?: string;
  /** Where the device-telemetry script comes from. */
  readonly dfpCdnDomain?: string;
}

const LIVE_HOST = 'api.stytch.com';
const TEST_HOST = 'test.stytch.com';
/** Nothing behind the host. */
const BARE = /^\w+:\/\/[^/]+\/$/u;

/** True for the token of a project that holds no real users. */
export function isTestToken(publicToken: string): boolean {
  return publicToken.includes('public-token-test');
}

/** True for an endpoint of the host's own: the session may be in HttpOnly cookies there, which only the server sees. */
export function isOwnEndpoint(origin: string): boolean {
  return origin !== `https://${LIVE_HOST}` && origin !== `https://${TEST_HOST}`;
}

/** The origin that a domain option names, or null when it is neither a domain nor a fitting origin. */
export function originOf(option: string): string | null {
  const url = safeUrl(option.includes('://') ? option : `https://${option}`);
  return url !== null && BARE.test(url) ? url.slice(0, -1) : null;
}

/** The server's origin for a token, and what is wrong with the option that was ignored for it. */
export function apiOrigin(
  publicToken: string,
  options: EndpointOptions = {},
): { readonly origin: string; readonly problem: string | null } {
  const test = isTestToken(publicToken);
  const option = test ? options.testApiDomain : options.apiDomain;
  const fallback = `https://${test ? TEST_HOST : LIVE_HOST}`;
  if (option === undefined) return { origin: fallback, problem: null };
  const origin = typeof option === 'string' ? originOf(option) : null;
  if (origin !== null) return { origin, problem: null };
  const name = test ? 'testApiDomain' : 'apiDomain';
  return { origin: fallback, problem: `endpointOptions.${name} is not a domain or origin and is ignored: ${option}` };
}

const TELEMETRY_CDN = 'https://elements.stytch.com';
const TELEMETRY_SUBMIT = 'https://telemetry.stytch.com';

/** Where the device-telemetry script comes from, and where it reports to. An option that is no domain is ignored. */
export function telemetryOrigins({ dfpCdnDomain = '', dfppaDomain = '' }: EndpointOptions): {
  readonly cdn: string;
  readonly submit: string;
} {
  return { cdn: originOf(dfpCdnDomain) ?? TELEMETRY_CDN, submit: originOf(dfppaDomain) ?? TELEMETRY_SUBMIT };
}
