import { Observable } from 'rxjs';
import type { BrowserPort } from '#application/ports/index.ts';

/** What the device does for a client without a page. */
export interface DeviceEvents {
  /** An IANA name. */
  readonly timezone: string;
  /** Opens an address outside of the app. */
  openUrl(url: string): void;
  /** Calls the listener each time the app comes back to the front. Returns a function that ends it. */
  onActive(listener: () => void): () => void;
}

/** Replaces the page by the address of the app's site. */
export class DeviceBrowser implements BrowserPort {
  readonly userAgent = '';
  readonly isFramed = false;
  readonly mayAutofillPasskeys = false;
  readonly wakes$: Observable<void>;
  readonly leaves$ = new Observable<void>();
  private readonly claimed = new Set<string>();

  constructor(
    private readonly device: DeviceEvents,
    private readonly site: URL,
  ) {
    this.wakes$ = new Observable((subscriber) => device.onActive(() => subscriber.next()));
  }

  get origin(): string {
    return this.site.origin;
  }

  get hostname(): string {
    return this.site.hostname;
  }

  get timezone(): string {
    return this.device.timezone;
  }

  href(): string {
    return this.site.href;
  }

  replaceUrl(): void {
    // There is no address to replace.
  }

  navigate(url: string): void {
    this.device.openUrl(url);
  }

  claim(name: string): (() => void) | null {
    if (this.claimed.has(name)) return null;
    this.claimed.add(name);
    return () => void this.claimed.delete(name);
  }
}
