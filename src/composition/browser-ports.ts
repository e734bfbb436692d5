import type { Ports } from '#application/ports/index.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { WindowBrowser } from '#infrastructure/browser/window-browser.ts';
import { StartTransport } from '#infrastructure/http/start-transport.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { WebStorage } from '#infrastructure/storage/web-storage.ts';
import type { ClientSettings } from './core.ts';

/**
 * The real adapters of a browser window, except for the ports whose adapters the host provides.
 *
 * @param origin the server's origin
 */
export function browserPorts(
  window: Window & typeof globalThis,
  own: Partial<Ports>,
  origin: string,
): ClientSettings['ports'] {
  const clock = own.clock ?? new SystemClock(window);
  return {
    transport: own.transport ?? new StartTransport(window, clock),
    storage: own.storage ?? new WebStorage(() => window.localStorage, window),
    tabStorage: own.tabStorage ?? new WebStorage(() => window.sessionStorage, window),
    cookies: own.cookies ?? new DocumentCookies(window.document, clock),
    clock,
    crypto: own.crypto ?? new WebCrypto(window.crypto),
    browser: own.browser ?? new WindowBrowser(window, origin),
    log: own.log ?? new ConsoleLog(window),
  };
}
