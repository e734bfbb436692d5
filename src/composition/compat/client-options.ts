/** Translates the reference client's options into ours. */
import type { CookieOptions } from '../../application/session/cookie-options.ts';
import type { EndpointOptions } from '../../domain/endpoints.ts';
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

export function clientOptions(options: StytchClientOptions = {}): ClientOptions {
  const { customBaseUrl, dfppaUrl, dfpCdnUrl, keepSessionAlive: _, endpointOptions = {}, ...rest } = options;
  return {
    ...rest,
    endpointOptions: {
      ...(customBaseUrl === undefined ? {} : { apiDomain: customBaseUrl, testApiDomain: customBaseUrl }),
      ...(dfppaUrl === undefined ? {} : { dfppaDomain: dfppaUrl }),
      ...(dfpCdnUrl === undefined ? {} : { dfpCdnDomain: dfpCdnUrl }),
      ...endpointOptions,
    },
  };
}
