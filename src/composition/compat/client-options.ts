/** Translates the reference client's options into ours. */
import type { CookieOptions } from '../../application/session/cookie-options.ts';
import type { EndpointOptions } from '../../domain/endpoints.ts';
import { isLoopbackHost } from '../../domain/safe-url.ts';
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
 * The cookie options as the reference reads them: an empty text counts as not given, and `domain` has an effect only with
 * `availableToSubdomains`, and none on a developer's machine, whose cookies cannot have the domain of the real site.
 */
function cookieOptionsOf(given: CookieOptions, hostname: string): CookieOptions {
  const known: CookieOptions = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const { domain, ...rest } = known;
  if (domain === undefined || rest.availableToSubdomains !== true) return rest;
  const fits = `.${hostname}`.endsWith(`.${domain}`) || !isLoopbackHost(hostname);
  return fits ? known : rest;
}

const PAGE = typeof location === 'undefined' ? '' : location.hostname;

/** @param options null is what a caller in JavaScript may pass for no options */
export function clientOptions(options: StytchClientOptions | null = {}, hostname: string = PAGE): ClientOptions {
  const { customBaseUrl, dfppaUrl, dfpCdnUrl, keepSessionAlive: _, ...others } = options ?? {};
  const { endpointOptions, cookieOptions, ...rest } = others;
  return {
    ...rest,
    ...(cookieOptions ? { cookieOptions: cookieOptionsOf(cookieOptions, hostname) } : {}),
    endpointOptions: {
      ...(customBaseUrl === undefined ? {} : { apiDomain: customBaseUrl, testApiDomain: customBaseUrl }),
      ...(dfppaUrl === undefined ? {} : { dfppaDomain: dfppaUrl }),
      ...(dfpCdnUrl === undefined ? {} : { dfpCdnDomain: dfpCdnUrl }),
      ...endpointOptions,
    },
  };
}
