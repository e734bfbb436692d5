import { Observable } from 'rxjs';
import type { Ports } from '#application/ports/index.ts';

/** An error of the name that browsers use for a missing feature. */
export const unsupported = (feature: string): Error =>
  Object.assign(new Error(`${feature} is not supported here`), { name: 'NotSupportedError' });

const refuse = (feature: string) => async (): Promise<never> => {
  throw unsupported(feature);
};

/** The ports that need a page, or a native module: each reports that its feature is missing. */
export const MISSING_PORTS = {
  webauthn: {
    supportsAutofill: async () => false,
    hasAutofillInput: () => false,
    creation: async () => 'none',
    create: refuse('A passkey'),
    get: refuse('A passkey'),
    signalUnknown: async () => undefined,
    signalAccepted: async () => undefined,
    signalDetails: async () => undefined,
    isCapable: async () => false,
  },
  wallet: {
    detect: () =>
      new Observable<readonly never[]>((subscriber) => {
        subscriber.next([]);
        subscriber.complete();
      }),
    connect: async () => Promise.reject(new Error('Could not connect to wallet')),
    sign: async () => Promise.reject(new Error('Could not sign message')),
  },
  oneTap: {
    isDrawnByBrowser: () => false,
    show: async () => ({ success: false, reason: 'not supported here' }),
    hide: () => undefined,
  },
  captcha: { token: async () => null },
  deviceTelemetry: { id: async () => null },
  outbox: { add: async () => false, take: async () => [] },
  formPost: {
    submit: () => {
      throw unsupported('A form');
    },
  },
} satisfies Partial<Ports>;
