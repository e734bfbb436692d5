import { expect, it } from 'vitest';
import * as adapters from 'portico/adapters';
import type { Ports } from '#application/ports/index.ts';

/** Functions beside the classes: all ports of a device without a page, and their texts. */
const OF_DEVICES = ['loadedTexts', 'portsOf', 'textsInMemory'] as const satisfies readonly (keyof typeof adapters)[];

/** Each port by the adapters that a browser's client is wired with: one without an adapter does not compile. */
const OF_PORT: { readonly [Name in keyof Ports]: readonly (keyof typeof adapters)[] } = {
  transport: ['KyTransport'],
  storage: ['WebStorage'],
  tabStorage: ['WebStorage'],
  cookies: ['DocumentCookies'],
  clock: ['SystemClock'],
  crypto: ['WebCrypto'],
  lock: ['WebLocks', 'PageLock'],
  browser: ['WindowBrowser'],
  log: ['ConsoleLog'],
  webauthn: ['BrowserWebauthn'],
  captcha: ['RecaptchaEnterprise', 'ScriptLoader'],
  deviceTelemetry: ['DeviceTelemetryScript', 'ScriptLoader'],
  oneTap: ['GoogleOneTap', 'ScriptLoader'],
  outbox: ['IndexedDbOutbox'],
  phone: ['LibPhone'],
  passwordStrength: ['Zxcvbn'],
  wallet: ['InjectedWallets'],
  formPost: ['HiddenForm'],
};

it('every port has its ready adapters among those that hosts can import', () => {
  const named = new Set<string>([...Object.values(OF_PORT).flat(), ...OF_DEVICES]);
  expect(Object.keys(adapters).sort()).toEqual([...named].sort());
});

it('the adapters that the client itself loads on demand can be constructed and used directly', async () => {
  const phone = new adapters.LibPhone();
  expect(await phone.parse('(415) 555-2671', 'US')).toMatchObject({ valid: true, number: '+14155552671' });
  const outbox = new adapters.IndexedDbOutbox(() => null, 'outbox');
  expect(await outbox.add('text')).toBe(false);
});
