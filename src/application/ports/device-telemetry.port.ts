/** The addresses of the device-telemetry service, and the project that uses it. */
export interface DeviceTelemetrySettings {
  readonly publicToken: string;
  /** The origin that serves the script, such as `https://elements.stytch.com`. */
  readonly cdnOrigin: string;
  /** The origin that receives the script's reports, such as `https://telemetry.stytch.com`. */
  readonly submitOrigin: string;
}

/**
 * A device-telemetry service, whose ids let the server recognize automated clients.
 *
 * - `id` resolves with a new id for every call; the first call loads the service;
 * - it resolves with null, and does not reject, when the service cannot be loaded or does not answer within 5 s;
 * - after a failed load, the next call tries again.
 */
export interface DeviceTelemetryPort {
  id(settings: DeviceTelemetrySettings): Promise<string | null>;
}
