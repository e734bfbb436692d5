import type { Ports } from '../application/ports/index.ts';
import { ConsoleLog } from '../infrastructure/browser/console-log.ts';
import { PageLock } from '../infrastructure/browser/page-lock.ts';
import { SystemClock } from '../infrastructure/browser/system-clock.ts';
import { WebCrypto } from '../infrastructure/browser/web-crypto.ts';
import { WebLocks } from '../infrastructure/browser/web-locks.ts';
import { WindowBrowser } from '../infrastructure/browser/window-browser.ts';
import { KyTransport } from '../infrastructure/http/ky-transport.ts';
import { DocumentCookies } from '../infrastructure/storage/document-cookies.ts';
import { WebStorage } from '../infrastructure/storage/web-storage.ts';
import { lazyPorts, type LazySettings } from './lazy-ports.ts';

const given = (own: Partial<Ports>): Partial<Ports> =>
  Object.fromEntries(Object.entries(own).filter(([, port]) => port !== undefined));

/** The real adapters of a browser window, for the ports that the host does not bring itself. */
export function browserPorts(window: Window & typeof globalThis, own: Partial<Ports>, settings: LazySettings): Ports {
  // Missing where the page is not a secure context.
  const locks = window.navigator.locks as LockManager | null | undefined;
  const clock = own.clock ?? new SystemClock(window);
  return {
    transport: new KyTransport(window),
    storage: new WebStorage(() => window.localStorage, window),
    tabStorage: new WebStorage(() => window.sessionStorage, window),
    cookies: new DocumentCookies(window.document, clock),
    clock,
    crypto: new WebCrypto(window.crypto),
    lock: locks ? new WebLocks(locks, clock) : new PageLock(clock),
    browser: new WindowBrowser(window),
    log: new ConsoleLog(window),
    ...lazyPorts(window, clock, settings),
    ...given(own),
  };
}
