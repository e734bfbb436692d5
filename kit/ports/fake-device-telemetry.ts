import type { DeviceTelemetryPort, DeviceTelemetrySettings } from '#application/ports/index.ts';

/** A telemetry service that returns a new id for every call: `telemetry-1`, `telemetry-2` and so on. */
export class FakeDeviceTelemetry implements DeviceTelemetryPort {
  /** True simulates a service that cannot be reached. */
  down = false;
  /** The settings of every call, oldest first. */
  readonly asked: readonly DeviceTelemetrySettings[] = [];
  private count = 0;

  async id(settings: DeviceTelemetrySettings): Promise<string | null> {
    (this.asked as DeviceTelemetrySettings[]).push(settings);
    if (this.down) return null;
    this.count += 1;
    return `telemetry-${this.count}`;
  }
}
