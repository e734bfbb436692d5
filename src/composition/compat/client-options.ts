/** Translates the reference client's options into ours. */
import { COOKIE_OPTIONS, type CookieOptions } from '#application/session/cookie-options.ts';
import { HOSTS, hostedApi, originOf, type EndpointOptions } from '#domain/project/endpoints.ts';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import type { LogPort } from '#application/ports/index.ts';
import type { ClientOptions } from '../client.ts';

/** The configuration of a project, for apps that use it as a type argument. No reply type depends on it here. */
export interface StytchProjectConfiguration {
  OpaqueTokens: boolean;
}
export type StytchProjectConfigurationInput = Partial<StytchProjectConfiguration>;

export interface StytchClientOptions extends ClientOptions {
  readonly cookieOptions?: CookieOptions;
  readonly endpointOptions?: EndpointOptions;
  /** 6.x: the address of the API, for live and test projects alike. */
  readonly customBaseUrl?: string;
  /** 6.x: the address to which device telemetry is sent. */
  readonly dfppaUrl?: string;
  /** 6.x: the origin of the device-telemetry script. */
  readonly dfpCdnUrl?: string;
  /** 6.x: accepted, without effect. An existing session is always kept fresh. */
  readonly keepSessionAlive?: boolean;
}

/**
 * The cookie options in the reference's interpretation: an empty string counts as omitted, and `domain` has an effect only with
 * `availableToSubdomains`. On a developer's machine it has none, because cookies there cannot have the domain of the real site.
 */
function cookieOptionsOf(options: CookieOptions, hostname: string): CookieOptions {
  const cookieOptions: CookieOptions = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => value !== '' && COOKIE_OPTIONS.includes(name)),
  );
  const { domain, ...rest } = cookieOptions;
  if (domain === undefined || rest.availableToSubdomains !== true) return rest;
  const fits = `.${hostname}`.endsWith(`.${domain}`) || !isLoopbackHost(hostname);
  return fits ? cookieOptions : rest;
}

const PAGE = typeof location === 'undefined' ? '' : location.hostname;

type Hosts = { -readonly [Name in keyof EndpointOptions]: string };

/** The hosts that are domains or origins. As on the wire, any other logs a warning and is ignored (specification, section 9). */
function hostsOf(options: EndpointOptions, log: LogPort, allowHttp: boolean): EndpointOptions {
  const hosts: Hosts = {};
  for (const name of HOSTS) {
    const value: unknown = options[name];
    const isApi = name === 'apiDomain' || name === 'testApiDomain';
    if (typeof value === 'string' && originOf(value, isApi && allowHttp) !== null) hosts[name] = value;
    else if (value !== undefined && value !== null) {
      log.warn(`endpointOptions.${name} is not a domain or origin and is ignored: ${JSON.stringify(value)}`);
    }
  }
  return hosts;
}

/**
 * Converts the options for our client. Names that the reference does not have and invalid hosts are dropped. `apiUrl` is our own
 * option and is checked strictly.
 *
 * @param options JavaScript callers may pass null for no options
 */
export function clientOptions(
  publicToken: string,
  options: StytchClientOptions | null = {},
  hostname: string = PAGE,
): ClientOptions {
  const input = options ?? {};
  const {
    customBaseUrl,
    dfppaUrl,
    dfpCdnUrl,
    endpointOptions,
    cookieOptions,
    adapters,
    telemetry,
    allowHttp,
    asksProfile,
  } = input;
  const log = adapters?.log ?? new ConsoleLog(globalThis);
  const endpoints: EndpointOptions = {
    ...('customBaseUrl' in input ? { apiDomain: customBaseUrl, testApiDomain: customBaseUrl } : {}),
    ...(dfppaUrl === undefined ? {} : { dfppaDomain: dfppaUrl }),
    ...(dfpCdnUrl === undefined ? {} : { dfpCdnDomain: dfpCdnUrl }),
    ...endpointOptions,
  };
  const hosts = hostsOf(endpoints, log, allowHttp === true);
  const { apiDomain: _, testApiDomain: __, ...others } = hosts;
  const [counts, hosted] = hostedApi(publicToken);
  const apiUrl = hosts[counts];
  if (!(endpoints[counts] || 'apiUrl' in input) && ('apiDomain' in endpoints || 'testApiDomain' in endpoints)) {
    log.warn(`${counts} is not given, so that this client calls ${hosted}. Give apiUrl to call your own server.`);
  }
  return {
    ...(adapters ? { adapters } : {}),
    ...(telemetry === undefined ? {} : { telemetry }),
    ...(allowHttp === undefined ? {} : { allowHttp }),
    ...(asksProfile === undefined ? {} : { asksProfile }),
    ...(cookieOptions ? { cookieOptions: cookieOptionsOf(cookieOptions, hostname) } : {}),
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(Object.hasOwn(input, 'apiUrl') ? { apiUrl: input.apiUrl } : {}),
    endpointOptions: others,
  };
}
