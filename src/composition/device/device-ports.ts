import type { CryptoPort, Ports } from '#application/ports/index.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import { PageLock } from '#infrastructure/browser/page-lock.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { DeviceBrowser, type DeviceEvents } from '#infrastructure/device/device-browser.ts';
import { MISSING_PORTS, unsupported } from '#infrastructure/device/missing-ports.ts';
import { PlainFetch } from '#infrastructure/device/plain-fetch.ts';
import { TextCookies } from '#infrastructure/device/text-cookies.ts';
import { TextStorage, textsInMemory, type TextStore } from '#infrastructure/device/text-store.ts';
import { LibPhone } from '#infrastructure/input/lib-phone.ts';
import { Zxcvbn } from '#infrastructure/input/zxcvbn.ts';

/** What a client without a page needs of its runtime. */
export interface Device extends Partial<DeviceEvents> {
  /** For the tokens of the session: encrypted, if the system can do that. */
  readonly secrets: TextStore;
  readonly storage: TextStore;
  /** The default is Web Cryptography, which React Native does not have. */
  readonly crypto?: CryptoPort;
}

/**
 * The ports of a client without a page, such as in React Native, an extension or a worker. Passkeys, wallets, Google One Tap, captcha and
 * attached social accounts need a page: they fail with a `NotSupportedError`, or are reported as missing.
 *
 * @param device without `openUrl` social logins fail, without `onActive` the session is not checked when the app comes back, and without
 *   `timezone` it is that of `Intl`
 * @param site the address of the app's site
 */
export function portsOf(device: Device, site: URL): Ports {
  const clock = new SystemClock(globalThis);
  const events: DeviceEvents = {
    timezone: device.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    openUrl: (url) => {
      if (device.openUrl === undefined) throw unsupported('A login in the browser');
      device.openUrl(url);
    },
    onActive: (listener) => device.onActive?.(listener) ?? (() => undefined),
  };
  return {
    clock,
    transport: new PlainFetch(globalThis, clock),
    storage: new TextStorage(device.storage),
    tabStorage: new TextStorage(textsInMemory()),
    cookies: new TextCookies(device.secrets, clock),
    crypto: device.crypto ?? new WebCrypto(globalThis.crypto),
    lock: new PageLock(clock),
    log: new ConsoleLog(globalThis),
    browser: new DeviceBrowser(events, site),
    phone: new LibPhone(),
    passwordStrength: new Zxcvbn(),
    ...MISSING_PORTS,
  };
}
