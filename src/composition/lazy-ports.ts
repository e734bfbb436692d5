import type { ClockPort, Ports } from '../application/ports/index.ts';

/** What only some pages need, and none of them at its start. */
export type LazyPorts = Pick<Ports, 'webauthn' | 'captcha' | 'deviceTelemetry' | 'oneTap' | 'outbox'>;

export interface LazySettings {
  readonly publicToken: string;
  /** The origin of the device-telemetry script. */
  readonly cdnOrigin: string;
}

/** Loads once; what failed to load is tried anew by the next call. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
}

/** The real adapters of those ports, each loaded by its first use. */
export function lazyPorts(window: Window, clock: ClockPort, { publicToken, cdnOrigin }: LazySettings): LazyPorts {
  const loader = once(async () => {
    const { ScriptLoader } = await import('../infrastructure/risk/script-loader.ts');
    return new ScriptLoader(window, clock, {
      'https://www.google.com': 'no-cors',
      'https://accounts.google.com': 'no-cors',
      [cdnOrigin]: 'cors',
    });
  });
  const webauthn = once(async () => {
    const { BrowserWebauthn } = await import('../infrastructure/credentials/browser-webauthn.ts');
    return new BrowserWebauthn(window);
  });
  const captcha = once(async () => {
    const { RecaptchaEnterprise } = await import('../infrastructure/risk/recaptcha-enterprise.ts');
    return new RecaptchaEnterprise(window, clock, await loader());
  });
  const telemetry = once(async () => {
    const { DeviceTelemetryScript } = await import('../infrastructure/risk/device-telemetry-script.ts');
    return new DeviceTelemetryScript(window, clock, await loader());
  });
  const oneTap = once(async () => {
    const { GoogleOneTap } = await import('../infrastructure/credentials/google-one-tap.ts');
    return new GoogleOneTap(window, clock, await loader());
  });
  const outbox = once(async () => {
    const { IndexedDbOutbox } = await import('../infrastructure/storage/indexed-db-outbox.ts');
    return new IndexedDbOutbox(() => window.indexedDB, `portico_outbox_${publicToken}`);
  });
  return {
    webauthn: {
      supportsAutofill: async () => (await webauthn()).supportsAutofill(),
      hasAutofillInput: async () => (await webauthn()).hasAutofillInput(),
      create: async (options, signal) => (await webauthn()).create(options, signal),
      get: async (options, mediation, signal) => (await webauthn()).get(options, mediation, signal),
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
