import { originOf, type EndpointOptions } from './endpoints.ts';

const TELEMETRY_CDN = 'https://elements.stytch.com';

const TELEMETRY_SUBMIT = 'https://telemetry.stytch.com';

/** The origins that serve the device-telemetry script and receive its reports. An invalid option is ignored. */
export function telemetryOrigins({ dfpCdnDomain = '', dfppaDomain = '' }: EndpointOptions): {
  readonly cdn: string;
  readonly submit: string;
} {
  return { cdn: originOf(dfpCdnDomain) ?? TELEMETRY_CDN, submit: originOf(dfppaDomain) ?? TELEMETRY_SUBMIT };
}
