import { Observable } from 'rxjs';
import type {
  CaptchaPort,
  ClockPort,
  DeviceTelemetryPort,
  OneTapPort,
  WalletPort,
  WebauthnPort,
} from '../../application/ports/index.ts';
import type { LazyPorts } from '../../application/services.ts';
import { telemetryOrigins, type EndpointOptions } from '../../domain/endpoints.ts';
import { HiddenForm } from '../../infrastructure/browser/hidden-form.ts';
import { LibPhone } from '../../infrastructure/input/lib-phone.ts';
import { Zxcvbn } from '../../infrastructure/input/zxcvbn.ts';
import { IndexedDbOutbox } from '../../infrastructure/storage/indexed-db-outbox.ts';
import type { ClientSettings } from '../core.ts';
import { once } from '../once.ts';

type Method = (...args: never[]) => unknown;

/** The result of each method when the adapter cannot be loaded; null if the call then rejects. */
type Fallbacks<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends Method ? (() => Awaited<ReturnType<Port[Name]>>) | null : never;
};

/** A port whose adapter is loaded by the first call of one of its methods, all of which are async. */
function onUse<Port extends object>(load: () => Promise<Port>, fallbacks: Fallbacks<Port>): Port {
  const adapter = once(load);
  const methods = (Object.keys(fallbacks) as (keyof Port)[]).map((name) => {
    const fallback = fallbacks[name];
    const call = async (...args: never[]): Promise<unknown> => {
      let port: Port;
      try {
        port = await adapter();
      } catch (error) {
        if (fallback === null) throw error;
        return fallback();
      }
      return (port[name] as Method)(...args);
    };
    return [name, call];
  });
  return Object.fromEntries(methods) as Port;
}

/** The adapters that a page does not need at its start: the host's own if it provides them, else the real ones. */
export function lazyPorts({ own, window, ports, publicToken, endpointOptions }: ClientSettings): LazyPorts {
  const real = window === null ? {} : realPorts(window, ports.clock, publicToken, endpointOptions);
  const brought = Object.entries(own).filter(([, port]) => port !== undefined);
  return { ...real, ...Object.fromEntries(brought) } as LazyPorts;
}

/**
 * Small adapters are part of this file's chunk. The adapters of passkeys and wallets, and those that load a third-party
 * script, are loaded at their first use.
 */
function realPorts(window: Window, clock: ClockPort, publicToken: string, endpointOptions: EndpointOptions): LazyPorts {
  const { cdn } = telemetryOrigins(endpointOptions);
  const scripts = once(async () => {
    const adapters = await import('./third-party-scripts.ts');
    const loader = new adapters.ScriptLoader(window, clock, {
      'https://www.google.com': 'no-cors',
      'https://accounts.google.com': 'no-cors',
      [cdn]: 'cors',
    });
    return { ...adapters, loader };
  });
  const passkeys = async (): Promise<WebauthnPort> => {
    const { BrowserWebauthn } = await import('../../infrastructure/credentials/browser-webauthn.ts');
    return new BrowserWebauthn(window);
  };
  const wallets = async (): Promise<WalletPort> => {
    const { InjectedWallets } = await import('../../infrastructure/credentials/injected-wallets.ts');
    return new InjectedWallets(window, clock);
  };
  const captcha = async (): Promise<CaptchaPort> => {
    const { RecaptchaEnterprise, loader } = await scripts();
    return new RecaptchaEnterprise(window, clock, loader);
  };
  const telemetry = async (): Promise<DeviceTelemetryPort> => {
    const { DeviceTelemetryScript, loader } = await scripts();
    return new DeviceTelemetryScript(window, clock, loader);
  };
  const oneTap = async (): Promise<OneTapPort> => {
    const { GoogleOneTap, loader } = await scripts();
    return new GoogleOneTap(window, clock, loader);
  };
  return {
    outbox: new IndexedDbOutbox(() => window.indexedDB, `portico_outbox_${publicToken}`),
    phone: new LibPhone(),
    passwordStrength: new Zxcvbn(),
    formPost: new HiddenForm(window.document),
    webauthn: onUse(passkeys, {
      supportsAutofill: null,
      hasAutofillInput: null,
      creation: null,
      create: null,
      get: null,
      signalUnknown: null,
      signalAccepted: null,
    }),
    captcha: onUse(captcha, { token: () => null }),
    deviceTelemetry: onUse(telemetry, { id: () => null }),
    oneTap: oneTapOnUse(oneTap),
    wallet: walletOnUse(wallets),
  };
}

function oneTapOnUse(load: () => Promise<OneTapPort>): OneTapPort {
  const adapter = once(load);
  const calls = onUse<Pick<OneTapPort, 'isDrawnByBrowser' | 'show'>>(adapter, {
    isDrawnByBrowser: () => true,
    show: () => ({ success: false, reason: 'unknown' }),
  });
  return {
    ...calls,
    hide: () =>
      void adapter().then(
        (port) => port.hide(),
        () => undefined,
      ),
  };
}

function walletOnUse(load: () => Promise<WalletPort>): WalletPort {
  const adapter = once(load);
  return {
    ...onUse<Pick<WalletPort, 'connect' | 'sign'>>(adapter, { connect: null, sign: null }),
    detect: () =>
      new Observable((subscriber) => {
        void adapter().then(
          (port) => void (subscriber.closed || subscriber.add(port.detect().subscribe(subscriber))),
          () => subscriber.next([]),
        );
      }),
  };
}
