/** How a client of the reference is constructed, as how ours is. */
import type { CookieOptions } from '../../application/session/cookie-options.ts';
import type { EndpointOptions } from '../../domain/endpoints.ts';
import type { ClientOptions } from '../client.ts';

/** What a project is configured with, for those who name it as a type argument. No reply depends on it here. */
export interface StytchProjectConfiguration {
  OpaqueTokens: boolean;
}
export type StytchProjectConfigurationInput = Partial<StytchProjectConfiguration>;

export interface StytchClientOptions extends ClientOptions {
  readonly cookieOptions?: CookieOptions;
  readonly endpointOptions?: EndpointOptions;
  /** 6.x: where the API is, for live and test projects alike. */
  readonly customBaseUrl?: string;
  /** 6.x: where device telemetry is sent. */
  readonly dfppaUrl?: string;
  /** 6.x: where the device-telemetry script comes from. */
  readonly dfpCdnUrl?: string;
  /** 6.x: accepted. A session that is there is always kept fresh. */
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
