/** `portico/adapters`: the ports' types and the ready adapters, for hosts that bring some of their own. */
export type * from '../application/ports/index.ts';
export { ConsoleLog } from '../infrastructure/browser/console-log.ts';
export { PageLock } from '../infrastructure/browser/page-lock.ts';
export { SystemClock } from '../infrastructure/browser/system-clock.ts';
export { WebCrypto } from '../infrastructure/browser/web-crypto.ts';
export { WebLocks } from '../infrastructure/browser/web-locks.ts';
export { WindowBrowser } from '../infrastructure/browser/window-browser.ts';
export { KyTransport } from '../infrastructure/http/ky-transport.ts';
export { DocumentCookies } from '../infrastructure/storage/document-cookies.ts';
export { WebStorage } from '../infrastructure/storage/web-storage.ts';
