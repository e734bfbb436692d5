import type { Observable } from 'rxjs';

/**
 * The page that the client runs in.
 *
 * - `href` is the address now, `origin` and `hostname` those of the page;
 * - `replaceUrl` changes the address without loading or adding to the history;
 * - `navigate` leaves the page, or opens a native app by a URI of its own scheme (RFC 8252, section 7.1); any other URL that
 *   is neither https nor http on loopback, or names a user, is refused with a RangeError;
 * - `timezone` is an IANA name;
 * - `wakes$` emits when the page may have slept: it became visible, was shown from the back-forward cache, or the
 *   network came back;
 * - `leaves$` emits when the page is being left;
 * - `mayAutofillPasskeys` is false in a browser that cannot offer passkeys in a form's fields; one that may be able to is
 *   asked by the passkey port;
 * - `isFramed` is true while another page, of whatever site, shows this one in a frame;
 * - `isSlow` is true where the browser says that the network is slow; it may be left out;
 * - `claim` answers a function that gives the name up, or null when the name is taken in this page.
 */
export interface BrowserPort {
  readonly origin: string;
  readonly hostname: string;
  readonly timezone: string;
  readonly userAgent: string;
  readonly isFramed: boolean;
  readonly isSlow?: boolean;
  readonly mayAutofillPasskeys: boolean;
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;
  href(): string;
  replaceUrl(url: string): void;
  navigate(url: string): void;
  claim(name: string): (() => void) | null;
}
