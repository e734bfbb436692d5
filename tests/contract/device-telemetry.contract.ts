import type { DeviceTelemetryPort, DeviceTelemetrySettings } from '#application/ports/index.ts';
import { suite, type Disposable, type TestRunner } from './runner.ts';
import { SERVICE_TROUBLES, type ServiceControls } from './service.ts';

export interface DeviceTelemetryHarness extends Disposable, ServiceControls {
  /** For a page in which nobody has asked yet, and a service that works. */
  readonly telemetry: DeviceTelemetryPort;
  readonly settings: DeviceTelemetrySettings;
  /** What the service was asked with, oldest first: the public token and where it submits. */
  readonly asked: () => readonly (readonly [publicToken: string, submitUrl: string])[];
}

/** The contract of DeviceTelemetryPort. */
export function deviceTelemetryContract(
  runner: TestRunner,
  name: string,
  makeHarness: () => DeviceTelemetryHarness | Promise<DeviceTelemetryHarness>,
): void {
  const { expect } = runner;
  suite(runner, `DeviceTelemetryPort: ${name}`, makeHarness, (test) => {
    test('answers a fresh id each time, for the token and origin of the settings', async (harness) => {
      const { telemetry, settings, asked } = harness;
      const ids = [await telemetry.id(settings), await telemetry.id(settings)];
      expect(ids.map((id) => typeof id === 'string' && id !== '')).toEqual([true, true]);
      expect(new Set(ids).size).toBe(2);
      const call = [settings.publicToken, `${settings.submitOrigin}/submit`];
      expect(asked()).toEqual([call, call]);
    });

    test('loads what it needs on the first call, once', async ({ telemetry, settings, loads }) => {
      expect(loads?.() ?? 0).toBe(0);
      await Promise.all([telemetry.id(settings), telemetry.id(settings)]);
      await telemetry.id(settings);
      expect(loads?.() ?? 1).toBe(1);
    });

    for (const trouble of SERVICE_TROUBLES) {
      test(`answers null in 5 s when the service ${trouble}, and tries anew on the next call`, async (harness) => {
        const { telemetry, settings, bring, pass } = harness;
        await bring(trouble);
        const id = telemetry.id(settings);
        await pass(5_000);
        expect(await id).toBe(null);
        await bring(null);
        expect(typeof (await telemetry.id(settings))).toBe('string');
      });
    }
  });
}
