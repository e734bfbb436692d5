import { Observable } from 'rxjs';
import { codeLoad } from '#domain/code-loads.ts';
import type {
  ClockPort,
  DeviceTelemetryPort,
  OneTapPort,
  Ports,
  WalletPort,
  WebauthnPort,
} from '#application/ports/index.ts';
import type { StartServices } from '#application/services.ts';
import { telemetryOrigins } from '#domain/project/telemetry-origins.ts';
import { later, methodsOf, type Later } from '#domain/later.ts';
import { HiddenForm } from '#infrastructure/browser/hidden-form.ts';
import { LibPhone } from '#infrastructure/input/lib-phone.ts';
import { Zxcvbn } from '#infrastructure/input/zxcvbn.ts';
import { IndexedDbOutbox } from '#infrastructure/storage/indexed-db-outbox.ts';
import type { ClientSettings } from '../core.ts';

/** The ports that a page does not need at its start. */
export type LatePorts = Omit<Ports, keyof StartServices | 'lock'>;

/** These stand in for adapters that cannot be loaded. A login needs none of them. */
const NO_TELEMETRY: DeviceTelemetryPort = { id: async () => null };
const NO_ONE_TAP: OneTapPort = {
  isDrawnByBrowser: async () => true,
  show: async () => ({ success: false, reason: 'unknown' }),
  hide: () => undefined,
};

/** The adapters that a page does not need at its start: the host's own if it provides them, else the real ones. */
export function lazyPorts({ own, window, ports, ...settings }: ClientSettings): LatePorts {
  const real = window === null ? {} : realPorts(window, ports.clock, settings);
  const brought = Object.entries(own).filter(([, port]) => port !== undefined);
  return { ...real, ...Object.fromEntries(brought) } as LatePorts;
}

/**
 * Small adapters are part of this file's chunk. The adapters of passkeys and wallets, and those that load a third-party
 * script, are loaded at their first use.
 */
function realPorts(
  window: Window,
  clock: ClockPort,
  { publicToken, origin, endpointOptions }: Pick<ClientSettings, 'publicToken' | 'origin' | 'endpointOptions'>,
): LatePorts {
  const { cdn } = telemetryOrigins(endpointOptions);
  const scripts = later(async () => {
    const { ScriptLoader, RecaptchaEnterprise, DeviceTelemetryScript, GoogleOneTap } = await codeLoad(
      import('./third-party-scripts.ts'),
    );
    const loader = new ScriptLoader(window, clock, {
      'https://www.google.com': 'no-cors',
      'https://accounts.google.com': 'no-cors',
      [cdn]: 'cors',
    });
    return {
      captcha: new RecaptchaEnterprise(window, clock, loader),
      deviceTelemetry: new DeviceTelemetryScript(window, clock, loader),
      oneTap: new GoogleOneTap(window, clock, loader),
    };
  });
  const passkeys = later<WebauthnPort>(async () => {
    const { BrowserWebauthn } = await codeLoad(import('#infrastructure/passkeys/browser-webauthn.ts'));
    return new BrowserWebauthn(window);
  });
  const wallets = later<WalletPort>(async () => {
    const { InjectedWallets } = await codeLoad(import('#infrastructure/wallets/injected-wallets.ts'));
    return new InjectedWallets(window, clock);
  });
  return {
    outbox: new IndexedDbOutbox(() => window.indexedDB, `portico_outbox_${publicToken}`),
    phone: new LibPhone(),
    passwordStrength: new Zxcvbn(),
    formPost: new HiddenForm(window.document, origin),
    webauthn: methodsOf(async () => passkeys.load()),
    captcha: methodsOf(async () => (await scripts.load()).captcha),
    deviceTelemetry: methodsOf(
      async () => (await scripts.load()).deviceTelemetry,
      () => NO_TELEMETRY,
    ),
    oneTap: methodsOf(
      async () => (await scripts.load()).oneTap,
      () => NO_ONE_TAP,
    ),
    wallet: { ...walletMethods(wallets), detect: () => detected(wallets) },
  };
}

const walletMethods = (wallets: Later<WalletPort>): Pick<WalletPort, 'connect' | 'sign'> => {
  const { connect, sign } = methodsOf(async () => wallets.load());
  return { connect, sign };
};

/** The wallets of this browser. Errors when the adapter cannot be loaded. */
function detected(wallets: Later<WalletPort>): ReturnType<WalletPort['detect']> {
  return new Observable((subscriber) => {
    wallets.pass(
      (port) => void (subscriber.closed || subscriber.add(port.detect().subscribe(subscriber))),
      (error) => subscriber.error(error),
    );
    wallets.load().catch(() => undefined);
  });
}
