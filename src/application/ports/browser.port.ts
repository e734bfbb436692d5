import type { Observable } from 'rxjs';

/**
 * The page that the client runs in.
 *
 * - `href` returns the current address; `origin` and `hostname` are those of the page;
 * - `replaceUrl` changes the address without loading it and without a new history entry;
 * - `navigate` leaves the page for an https URL, or http on loopback, or opens a native app by a URI with its private scheme
 *   (RFC 8252, section 7.1). It throws a RangeError for any other URL, and for one with user information;
 * - `timezone` is an IANA name;
 * - `wakes$` emits when the page may have been suspended: it became visible, returned from the back-forward cache, or came online
 *   again;
 * - `leaves$` emits when the page is being left;
 * - `mayAutofillPasskeys` is false when the browser certainly cannot offer passkeys in form fields; when it is true, the passkey port
 *   decides;
 * - `isFramed` is true while the page is embedded in a frame of any other page;
 * - `isSlow` is true when the browser reports a slow network; optional;
 * - `isOnline` is false when the browser certainly has no network; optional;
 * - `claim` reserves a name within this page and returns a function that releases it, or null when the name is taken.
 */
export interface BrowserPort {
  readonly origin: string;
  readonly hostname: string;
  readonly timezone: string;
  readonly userAgent: string;
  readonly isFramed: boolean;
  readonly isSlow?: boolean;
  readonly isOnline?: boolean;
  readonly mayAutofillPasskeys: boolean;
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;
  href(): string;
  replaceUrl(url: string): void;
  navigate(url: string): void;
  claim(name: string): (() => void) | null;
}
