import type { ClockPort, DeviceTelemetryPort, DeviceTelemetrySettings } from '#application/ports/index.ts';
import { withTimeout } from '#application/ports/with-timeout.ts';
import type { ScriptLoader } from './script-loader.ts';

const PATIENCE_MS = 5_000;

type GetTelemetryID = (publicToken: string, submitUrl: string) => PromiseLike<unknown>;

function isGetTelemetryID(value: unknown): value is GetTelemetryID {
  return typeof value === 'function';
}

/** Device telemetry through the service's script, which defines `GetTelemetryID` on the window. */
export class DeviceTelemetryScript implements DeviceTelemetryPort {
  constructor(
    private readonly window: Window,
    private readonly clock: ClockPort,
    private readonly loader: ScriptLoader,
  ) {}

  async id({ publicToken, cdnOrigin, submitOrigin }: DeviceTelemetrySettings): Promise<string | null> {
    return withTimeout(this.clock, PATIENCE_MS, async () => {
      const getId = this.find() ?? (await this.loader.load(`${cdnOrigin}/telemetry.js`, () => this.find()));
      const id = await getId(publicToken, `${submitOrigin}/submit`);
      return typeof id === 'string' && id !== '' ? id : null;
    });
  }

  private find(): GetTelemetryID | null {
    const found = (this.window as Window & { readonly GetTelemetryID?: unknown }).GetTelemetryID;
    return isGetTelemetryID(found) ? found : null;
  }
}
