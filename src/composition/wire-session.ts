import type { Ports } from '#application/ports/index.ts';
import { cookiePlace, type CookieOptions } from '#application/session/cookie-options.ts';
import { EarlierCookies } from '#application/session/earlier-cookies.ts';
import { RefreshRecord } from '#application/session/refresh-record.ts';
import { SessionLifecycle } from '#application/session/session-lifecycle.ts';
import { SessionRefresher } from '#application/session/session-refresher.ts';
import type { SessionStore } from '#application/session/session-store.ts';
import type { SessionCode } from '#application/session/session-watch.ts';
import type { ClientKeys } from '#application/wire/client-keys.ts';
import type { WireClient } from '#application/wire/wire-client.ts';
import { PageLock } from '#infrastructure/browser/page-lock.ts';
import { WebLocks } from '#infrastructure/browser/web-locks.ts';

interface SessionSettings {
  readonly ports: Pick<Ports, 'clock' | 'cookies' | 'storage' | 'browser' | 'crypto'>;
  readonly cookieOptions: CookieOptions;
  readonly own: Partial<Pick<Ports, 'lock'>>;
  readonly window: Pick<Window, 'navigator'> | null;
}

/** The composition root of the code that a page needs only if there is a session. */
export function wireSession(
  { ports, own, window, cookieOptions }: SessionSettings,
  wire: WireClient,
  sessions: SessionStore,
  keys: ClientKeys,
): SessionCode {
  // Missing if the page is not a secure context.
  const locks = window?.navigator.locks as LockManager | null | undefined;
  const lock = own.lock ?? (locks ? new WebLocks(locks, ports.clock) : new PageLock(ports.clock));
  new EarlierCookies(sessions, cookiePlace(cookieOptions, ports.browser.hostname), ports).start();
  const lifecycle = new SessionLifecycle(wire, sessions);
  const record = new RefreshRecord(ports.storage, keys);
  return { lifecycle, refresher: new SessionRefresher(lifecycle, sessions, record, keys, { ...ports, lock }) };
}
