/** The suites of what comes as a script: real elements and Trusted Types, with stand-ins behind the scripts' URLs. */
import { GoogleOneTap } from '#infrastructure/social/google-one-tap.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { DeviceTelemetryScript } from '#infrastructure/risk/device-telemetry-script.ts';
import { RecaptchaEnterprise } from '#infrastructure/risk/recaptcha-enterprise.ts';
import { ScriptLoader } from '#infrastructure/risk/script-loader.ts';
import { StandInGoogle } from '../../unit/infrastructure/support/google-identity.ts';
import { StandInRecaptcha, StandInTelemetry } from '../../unit/infrastructure/support/risk-services.ts';
import { captchaContract } from '../captcha.contract.ts';
import { deviceTelemetryContract } from '../device-telemetry.contract.ts';
import { oneTapContract } from '../one-tap.contract.ts';
import type { TestRunner } from '../runner.ts';
import type { ServiceTrouble } from '../service.ts';
import { ask, type Delivery } from './bridge.ts';
import { delay, until } from './wait.ts';

const RECAPTCHA = 'https://www.google.com/recaptcha/enterprise.js';
const GOOGLE = 'https://accounts.google.com/gsi/client';
const CDN = 'https://cdn.example.com';
const TELEMETRY = `${CDN}/telemetry.js`;
export const SCRIPTS = [RECAPTCHA, GOOGLE, TELEMETRY];

const ORIGINS = {
  'https://www.google.com': 'no-cors',
  'https://accounts.google.com': 'no-cors',
  [CDN]: 'cors',
} as const;

type Globals = Record<PropertyKey, unknown>;
const globals = globalThis as unknown as Globals;

/** The elements that have loaded or failed. */
const settled = new WeakSet<EventTarget>();

function note({ target }: Event): void {
  if (target !== null) settled.add(target);
}

/** A script as it is served calls `served(url)` and nothing else: what runs then is decided here. */
class Network {
  loads = 0;
  private delivery: Delivery = 'comes';

  constructor(
    private readonly script: string,
    run: (globals: Globals) => void,
  ) {
    globals['served'] = (url: string) => {
      if (url !== script) return;
      this.loads += 1;
      run(globals);
    };
  }

  async deliver(delivery: Delivery): Promise<void> {
    this.delivery = delivery;
    await ask('deliver', this.script, delivery);
  }

  async bring(trouble: ServiceTrouble | null): Promise<void> {
    const fails = trouble === 'is blocked' || trouble === 'does not answer';
    await this.deliver(fails ? trouble : 'comes');
  }

  /** Lets the network do what it will, then time pass. */
  async pass(clock: VirtualClock, ms: number): Promise<void> {
    if (this.delivery !== 'does not answer') {
      await until(() => this.elements().every((script) => settled.has(script)));
    }
    // The stand-ins take a moment to say something, as the services do.
    await delay(20);
    await clock.advance(ms);
  }

  async dispose(): Promise<void> {
    await this.deliver('is blocked');
    for (const script of this.elements()) script.remove();
    for (const name of ['grecaptcha', 'GetTelemetryID', 'google']) delete globals[name];
    (globals[Symbol.for('portico.scripts')] as { readonly loads: Map<string, unknown> }).loads.clear();
    await this.deliver('comes');
  }

  private elements(): readonly HTMLScriptElement[] {
    return Array.from(document.scripts).filter(({ src }) => src.startsWith(this.script));
  }
}

function make(): { readonly clock: VirtualClock; readonly loader: ScriptLoader } {
  const clock = new VirtualClock();
  return { clock, loader: new ScriptLoader(window, clock, ORIGINS) };
}

export function declareScriptSuites(runner: TestRunner): void {
  if (typeof document === 'object') {
    for (const type of ['load', 'error']) document.addEventListener(type, note, true);
  }
  captchaContract(runner, 'RecaptchaEnterprise on a stand-in of the service', () => {
    const { clock, loader } = make();
    const service = new StandInRecaptcha();
    const network = new Network(RECAPTCHA, () => service.run(globals));
    return {
      captcha: new RecaptchaEnterprise(window, clock, loader),
      siteKey: 'a key/of=some&kind',
      bring: async (trouble) => {
        service.trouble = trouble;
        await network.bring(trouble);
      },
      pass: async (ms) => network.pass(clock, ms),
      loads: () => network.loads,
      dispose: async () => network.dispose(),
    };
  });

  deviceTelemetryContract(runner, 'DeviceTelemetryScript on a stand-in of the service', () => {
    const { clock, loader } = make();
    const service = new StandInTelemetry();
    const network = new Network(TELEMETRY, () => service.run(globals));
    return {
      telemetry: new DeviceTelemetryScript(window, clock, loader),
      settings: {
        publicToken: 'public-token-test-1',
        cdnOrigin: CDN,
        submitOrigin: 'https://submit.example.com',
      },
      asked: () => service.asked,
      bring: async (trouble) => {
        service.trouble = trouble;
        await network.bring(trouble);
      },
      pass: async (ms) => network.pass(clock, ms),
      loads: () => network.loads,
      dispose: async () => network.dispose(),
    };
  });

  oneTapContract(runner, 'GoogleOneTap on a stand-in of the library', () => {
    const { clock, loader } = make();
    const google = new StandInGoogle(true);
    const network = new Network(GOOGLE, () => google.run(globals));
    return {
      oneTap: new GoogleOneTap(window, clock, loader),
      fate: async (fate) => {
        google.refusal = fate === 'does not come' ? 'opt_out_or_no_session' : null;
        await network.deliver(fate === 'does not come' ? 'comes' : fate);
      },
      shown: () => google.shown,
      place: () => google.place,
      choose: (idToken) => google.choose(idToken),
      cancel: () => google.cancel(),
      pass: async (ms) => network.pass(clock, ms),
      dispose: async () => network.dispose(),
    };
  });
}
