import { SDKUsageError } from '../errors.ts';
import { checkNames } from '../widget/option-names.ts';
import { isLoopbackHost, safeUrl } from '../safe-url.ts';

/** The server's addresses, by the wire's names (specification, sections 7 and 9). Each is a domain with an optional port, or an origin. */
export interface EndpointOptions {
  /** The API's host for live tokens. Default: `api.stytch.com`. */
  readonly apiDomain?: string;
  /** The API's host for tokens that contain `public-token-test`. Default: `test.stytch.com`. */
  readonly testApiDomain?: string;
  /** The host that receives device telemetry. Default: `telemetry.stytch.com`. */
  readonly dfppaDomain?: string;
  /** The host that serves the device-telemetry script. Default: `elements.stytch.com`. */
  readonly dfpCdnDomain?: string;
}

/** The API's origin: in one option, or by the wire's names. */
export interface ApiAddress {
  readonly apiUrl?: string;
  readonly allowHttp?: boolean;
  readonly endpointOptions?: EndpointOptions;
}

/** A part of every local provider's public token. The hosted service has no project with such a token. */
const LOCAL = '-d1e70000-';
const LIVE_HOST = 'api.stytch.com';
const TEST_HOST = 'test.stytch.com';
/** An origin with an empty path. */
const BARE = /^\w+:\/\/[^/]+\/$/u;

/** The required form of the API's origin, for clients and servers. */
export const ORIGIN_NEEDED = 'Give apiUrl an origin such as https://auth.example.com';

/** Throws an SDKUsageError for an invalid value, which often comes from an environment variable. */
function refuse(name: string, value: unknown, remedy = ''): never {
  const question = value ? '.' : ': is its environment variable set?';
  throw new SDKUsageError('PorticoClient', `${name} is ${JSON.stringify(value)}${question}${remedy}`);
}

/** True for the public token of a test project. */
export function isTestToken(publicToken: string): boolean {
  return /public-token-test/u.test(publicToken);
}

/** True for the host's own server, which may keep the session in HttpOnly cookies that scripts cannot read. */
export function isOwnEndpoint(origin: string): boolean {
  return origin !== `https://${LIVE_HOST}` && origin !== `https://${TEST_HOST}`;
}

/** The value with a scheme: if it has none, http for a name of this machine and https otherwise. */
export function withScheme(address: string): string {
  if (address.includes('://')) return address;
  return `http${isLoopbackHost(address.replace(/:\d+$/u, '')) ? '' : 's'}://${address}`;
}

/**
 * The origin that a domain option names, or null if it is neither a domain nor an https (or loopback http) origin.
 *
 * @param allowHttp true for http on other hosts, too
 */
export function originOf(option: string, allowHttp = false): string | null {
  const url = safeUrl(withScheme(option.trim()), allowHttp);
  return url !== null && BARE.test(url) ? url.slice(0, -1) : null;
}

/** The wire's option for a token, and the hosted service's origin for it. */
export function hostedApi(publicToken: string): readonly [name: 'testApiDomain' | 'apiDomain', origin: string] {
  return isTestToken(publicToken) ? ['testApiDomain', `https://${TEST_HOST}`] : ['apiDomain', `https://${LIVE_HOST}`];
}

export const HOSTS = [
  'apiDomain',
  'testApiDomain',
  'dfppaDomain',
  'dfpCdnDomain',
] as const satisfies (keyof EndpointOptions)[];

/**
 * The API's origin for a token. Throws an SDKUsageError if options are given but the relevant one is missing or invalid: the hosted service
 * must not receive the sign-ins of a server whose origin is misspelled. A member whose value is undefined counts as given, because an unset
 * environment variable has that value. The token of a local provider needs an origin. `allowHttp` is for the API of a test project: other
 * scripts and reports still need https.
 */
export function apiOrigin(publicToken: string, options: ApiAddress = {}): string {
  if (typeof publicToken !== 'string' || publicToken === '') refuse('publicToken', publicToken);
  const hosts = 'endpointOptions' in options ? options.endpointOptions : {};
  checkNames('endpointOptions:', hosts, HOSTS);
  const addresses = new Map<string, unknown>(Object.entries({ ...hosts, ...options }));
  const checked = (name: string, allowHttp = false): string => {
    const value = addresses.get(name);
    const origin = typeof value === 'string' ? originOf(value, allowHttp) : null;
    if (origin !== null) return origin;
    return refuse(name, value, ` ${ORIGIN_NEEDED}; http needs localhost, or allowHttp: true with a test token`);
  };
  const [counts, hosted] = hostedApi(publicToken);
  const [live, test, ...telemetry] = HOSTS;
  const http = options.allowHttp === true && isTestToken(publicToken);
  for (const name of telemetry) if (addresses.has(name)) checked(name);
  if (addresses.has('apiUrl')) return checked('apiUrl', http);
  if (addresses.has(live) || addresses.has(test)) return checked(counts, http);
  return publicToken.includes(LOCAL) ? checked('apiUrl') : hosted;
}
