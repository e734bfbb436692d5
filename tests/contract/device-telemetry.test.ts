import { describe, expect, it } from 'vitest';
import { FakeDeviceTelemetry } from '#kit/ports/fake-device-telemetry.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { DeviceTelemetryScript } from '#infrastructure/risk/device-telemetry-script.ts';
import { ScriptLoader } from '#infrastructure/risk/script-loader.ts';
import { StandInTelemetry } from '../unit/infrastructure/support/risk-services.ts';
import { ScriptPage } from '../unit/infrastructure/support/script-page.ts';
import { deviceTelemetryContract } from './device-telemetry.contract.ts';

const runner = { describe, it, expect };
const settings = {
  publicToken: 'public-token-test-1',
  cdnOrigin: 'https://cdn.example.com',
  submitOrigin: 'https://submit.example.com',
};

deviceTelemetryContract(runner, 'FakeDeviceTelemetry', () => {
  const telemetry = new FakeDeviceTelemetry();
  return {
    telemetry,
    settings,
    asked: () => telemetry.asked.map((one) => [one.publicToken, `${one.submitOrigin}/submit`] as const),
    bring: (trouble) => void (telemetry.down = trouble !== null),
    pass: () => undefined,
  };
});

deviceTelemetryContract(runner, 'DeviceTelemetryScript on a stand-in of the service', () => {
  const [page, clock, service] = [new ScriptPage(), new VirtualClock(), new StandInTelemetry()];
  const script = `${settings.cdnOrigin}/telemetry.js`;
  const run = service.run.bind(service);
  page.served.set(script, run);
  const loader = new ScriptLoader(page.window, clock, { [settings.cdnOrigin]: 'cors' });
  return {
    telemetry: new DeviceTelemetryScript(page.window, clock, loader),
    settings,
    asked: () => service.asked,
    bring: (trouble) => {
      service.trouble = trouble;
      page.served.set(script, trouble === 'is blocked' ? 'blocked' : trouble === 'does not answer' ? 'hangs' : run);
    },
    pass: async (ms) => clock.advance(ms),
    loads: () => page.appended.length,
  };
});
