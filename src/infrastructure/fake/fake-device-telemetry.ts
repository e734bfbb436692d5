import type { DeviceTelemetryPort, DeviceTelemetrySettings } from '../../application/ports/index.ts';

/** A service that names every device anew: `telemetry-1`, `telemetry-2` and so on. */
export class FakeDeviceTelemetry implements DeviceTelemetryPort {
  /** True makes a service that cannot be reached. */
  down = false;
  /** The settings of every call, oldest first. */
  readonly asked: readonly DeviceTelemetrySettings[] = [];
  private given = 0;

  async id(settings: DeviceTelemetrySettings): Promise<string | null> {
    (this.asked as DeviceTelemetrySettings[]).push(settings);
    if (this.down) return null;
    this.given += 1;
    return `telemetry-${this.given}`;
  }
}
