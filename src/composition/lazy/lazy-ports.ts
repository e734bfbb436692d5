import { Observable } from 'rxjs';
import type { ClockPort, OneTapPort, WalletPort } from '../../application/ports/index.ts';
import type { LazyPorts } from '../../application/services.ts';
import { telemetryOrigins, type EndpointOptions } from '../../domain/endpoints.ts';
import type { ClientSettings } from '../core.ts';
import { once } from '../once.ts';

type Method = (...args: never[]) => unknown;

/** What each method answers when the adapter cannot be loaded; null where the call rejects then. */
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

/** The adapters that a page does not need at its start: the host's own where it brings them, else the real ones. */
export function lazyPorts({ own, window, ports, publicToken, endpointOptions }: ClientSettings): LazyPorts {
  const real = window === null ? {} : realPorts(window, ports.clock, publicToken, endpointOptions);
  const brought = Object.entries(own).filter(([, port]) => port !== undefined);
  return { ...real, ...Object.fromEntries(brought) } as LazyPorts;
}

function realPorts(window: Window, clock: ClockPort, publicToken: string, endpointOptions: EndpointOptions): LazyPorts {
  const { cdn } = telemetryOrigins(endpointOptions);
  const loader = once(async () => {
    const { ScriptLoader } = await import('../../infrastructure/risk/script-loader.ts');
    return new ScriptLoader(window, clock, {
      'https://www.google.com': 'no-cors',
      'https://accounts.google.com': 'no-cors',
      [cdn]: 'cors',
    });
  });
  return {
    webauthn: onUse(
      async () => {
        const { BrowserWebauthn } = await import('../../infrastructure/credentials/browser-webauthn.ts');
        return new BrowserWebauthn(window);
      },
      {
        supportsAutofill: null,
        hasAutofillInput: null,
        creation: null,
        create: null,
        get: null,
        signalUnknown: null,
        signalAccepted: null,
      },
    ),
    captcha: onUse(
      async () => {
        const { RecaptchaEnterprise } = await import('../../infrastructure/risk/recaptcha-enterprise.ts');
        return new RecaptchaEnterprise(window, clock, await loader());
      },
      { token: () => null },
    ),
    deviceTelemetry: onUse(
      async () => {
        const { DeviceTelemetryScript } = await import('../../infrastructure/risk/device-telemetry-script.ts');
        return new DeviceTelemetryScript(window, clock, await loader());
      },
      { id: () => null },
    ),
    outbox: onUse(
      async () => {
        const { IndexedDbOutbox } = await import('../../infrastructure/storage/indexed-db-outbox.ts');
        return new IndexedDbOutbox(() => window.indexedDB, `portico_outbox_${publicToken}`);
      },
      { add: () => false, take: () => [] },
    ),
    phone: onUse(
      async () => {
        const { LibPhone } = await import('../../infrastructure/input/lib-phone.ts');
        return new LibPhone();
      },
      { parse: null, format: null },
    ),
    passwordStrength: onUse(
      async () => {
        const { Zxcvbn } = await import('../../infrastructure/input/zxcvbn.ts');
        return new Zxcvbn();
      },
      { estimate: () => null },
    ),
    oneTap: oneTapOnUse(async () => {
      const { GoogleOneTap } = await import('../../infrastructure/credentials/google-one-tap.ts');
      return new GoogleOneTap(window, clock, await loader());
    }),
    wallet: walletOnUse(async () => {
      const { InjectedWallets } = await import('../../infrastructure/credentials/injected-wallets.ts');
      return new InjectedWallets(window, clock);
    }),
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
