import { safeUrl } from './safe-url.ts';

/** The server's addresses (specification, sections 7 and 9). Each is a domain with an optional port, or an origin. */
export interface EndpointOptions {
  /** The API's host for live tokens: `api.stytch.com` unless given. */
  readonly apiDomain?: string;
  /** The API's host for tokens that contain `public-token-test`: `test.stytch.com` unless given. */
  readonly testApiDomain?: string;
  /** The host that receives device telemetry: `telemetry.stytch.com` unless given. */
  readonly dfppaDomain?: string;
  /** The host that serves the device-telemetry script: `elements.stytch.com` unless given. */
  readonly dfpCdnDomain?: string;
}

const LIVE_HOST = 'api.stytch.com';
const TEST_HOST = 'test.stytch.com';
/** An origin with an empty path. */
const BARE = /^\w+:\/\/[^/]+\/$/u;

/** True for the public token of a test project. */
export function isTestToken(publicToken: string): boolean {
  return publicToken.includes('public-token-test');
}

/** True for the host's own server, which may keep the session in HttpOnly cookies that scripts cannot read. */
export function isOwnEndpoint(origin: string): boolean {
  return origin !== `https://${LIVE_HOST}` && origin !== `https://${TEST_HOST}`;
}

/** The origin that a domain option names, or null when it is neither a domain nor an https (or loopback http) origin. */
export function originOf(option: string): string | null {
  const url = safeUrl(option.includes('://') ? option : `https://${option}`);
  return url !== null && BARE.test(url) ? url.slice(0, -1) : null;
}

/** The server's origin for a token. `problem` says why a domain option was ignored; null when none was. */
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

/** The origins that serve the device-telemetry script and receive its reports. An invalid option is ignored. */
export function telemetryOrigins({ dfpCdnDomain = '', dfppaDomain = '' }: EndpointOptions): {
  readonly cdn: string;
  readonly submit: string;
} {
  return { cdn: originOf(dfpCdnDomain) ?? TELEMETRY_CDN, submit: originOf(dfppaDomain) ?? TELEMETRY_SUBMIT };
}
