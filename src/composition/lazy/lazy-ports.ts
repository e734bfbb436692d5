import { Observable } from 'rxjs';
import type { ClockPort } from '../../application/ports/index.ts';
import { telemetryOrigins, type EndpointOptions } from '../../domain/endpoints.ts';
import type { ClientSettings, LatePorts } from '../core.ts';
import { once } from '../once.ts';

/** The adapters of the late ports: the host's own where it brings them, else real ones, each loaded by its first use. */
export function latePorts({ own, window, ports, publicToken, endpointOptions }: ClientSettings): LatePorts {
  const brought = own as LatePorts;
  const real = window === null ? brought : realPorts(window, ports.clock, publicToken, endpointOptions);
  return {
    webauthn: own.webauthn ?? real.webauthn,
    captcha: own.captcha ?? real.captcha,
    deviceTelemetry: own.deviceTelemetry ?? real.deviceTelemetry,
    oneTap: own.oneTap ?? real.oneTap,
    outbox: own.outbox ?? real.outbox,
    phone: own.phone ?? real.phone,
    passwordStrength: own.passwordStrength ?? real.passwordStrength,
    wallet: own.wallet ?? real.wallet,
  };
}

function realPorts(window: Window, clock: ClockPort, publicToken: string, endpointOptions: EndpointOptions): LatePorts {
  const { cdn } = telemetryOrigins(endpointOptions);
  const loader = once(async () => {
    const { ScriptLoader } = await import('../../infrastructure/risk/script-loader.ts');
    return new ScriptLoader(window, clock, {
      'https://www.google.com': 'no-cors',
      'https://accounts.google.com': 'no-cors',
      [cdn]: 'cors',
    });
  });
  const webauthn = once(async () => {
    const { BrowserWebauthn } = await import('../../infrastructure/credentials/browser-webauthn.ts');
    return new BrowserWebauthn(window);
  });
  const captcha = once(async () => {
    const { RecaptchaEnterprise } = await import('../../infrastructure/risk/recaptcha-enterprise.ts');
    return new RecaptchaEnterprise(window, clock, await loader());
  });
  const telemetry = once(async () => {
    const { DeviceTelemetryScript } = await import('../../infrastructure/risk/device-telemetry-script.ts');
    return new DeviceTelemetryScript(window, clock, await loader());
  });
  const oneTap = once(async () => {
    const { GoogleOneTap } = await import('../../infrastructure/credentials/google-one-tap.ts');
    return new GoogleOneTap(window, clock, await loader());
  });
  const outbox = once(async () => {
    const { IndexedDbOutbox } = await import('../../infrastructure/storage/indexed-db-outbox.ts');
    return new IndexedDbOutbox(() => window.indexedDB, `portico_outbox_${publicToken}`);
  });
  const phone = once(async () => {
    const { LibPhone } = await import('../../infrastructure/input/lib-phone.ts');
    return new LibPhone();
  });
  const strength = once(async () => {
    const { Zxcvbn } = await import('../../infrastructure/input/zxcvbn.ts');
    return new Zxcvbn();
  });
  const wallet = once(async () => {
    const { InjectedWallets } = await import('../../infrastructure/credentials/injected-wallets.ts');
    return new InjectedWallets(window, clock);
  });
  return {
    webauthn: {
      supportsAutofill: async () => (await webauthn()).supportsAutofill(),
      hasAutofillInput: async () => (await webauthn()).hasAutofillInput(),
      creation: async () => (await webauthn()).creation(),
      create: async (options, signal) => (await webauthn()).create(options, signal),
      get: async (options, mediation, signal) => (await webauthn()).get(options, mediation, signal),
      signalUnknown: async (rpId, id) => (await webauthn()).signalUnknown(rpId, id),
      signalAccepted: async (rpId, userId, ids) => (await webauthn()).signalAccepted(rpId, userId, ids),
    },
    captcha: {
      token: async (siteKey) =>
        captcha().then(
          (port) => port.token(siteKey),
          () => null,
        ),
    },
    deviceTelemetry: {
      id: async (settings) =>
        telemetry().then(
          (port) => port.id(settings),
          () => null,
        ),
    },
    oneTap: {
      isDrawnByBrowser: async () =>
        oneTap().then(
          (port) => port.isDrawnByBrowser(),
          () => true,
        ),
      show: async (options) =>
        oneTap().then(
          (port) => port.show(options),
          () => ({ success: false, reason: 'unknown' }),
        ),
      hide: () =>
        void oneTap().then(
          (port) => port.hide(),
          () => undefined,
        ),
    },
    phone: {
      parse: async (national, country) => (await phone()).parse(national, country),
      format: async (national, country) => (await phone()).format(national, country),
    },
    passwordStrength: {
      estimate: async (password, hints) =>
        strength().then(
          (port) => port.estimate(password, hints),
          () => null,
        ),
    },
    wallet: {
      detect: () =>
        new Observable((subscriber) => {
          void wallet().then(
            (port) => void (subscriber.closed || subscriber.add(port.detect().subscribe(subscriber))),
            () => subscriber.next([]),
          );
        }),
      connect: async (kind) => (await wallet()).connect(kind),
      sign: async (kind, message, address) => (await wallet()).sign(kind, message, address),
    },
    outbox: {
      add: async (text) =>
        outbox().then(
          (port) => port.add(text),
          () => false,
        ),
      take: async (count) =>
        outbox().then(
          (port) => port.take(count),
          () => [],
        ),
    },
  };
}
