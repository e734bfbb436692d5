/** Where the device-telemetry service lives, and for whom it works. */
export interface DeviceTelemetrySettings {
  readonly publicToken: string;
  /** The origin of the script, such as `https://elements.stytch.com`. */
  readonly cdnOrigin: string;
  /** The origin that receives what it gathers, such as `https://telemetry.stytch.com`. */
  readonly submitOrigin: string;
}

/**
 * Names the device for a server that tells people from programs.
 *
 * - `id` answers a fresh id each time, and loads what it needs on the first call;
 * - a service that cannot be loaded, or gives nothing within 5 s, answers null and does not throw;
 * - what failed to load is tried anew by the next call.
 */
export interface DeviceTelemetryPort {
  id(settings: DeviceTelemetrySettings): Promise<string | null>;
}
