import { Observable } from 'rxjs';
import type { BrowserPort } from '#application/ports/index.ts';
import { isPrivateUseUri, safeUrl } from '#domain/safe-url.ts';
import { pageShared } from './page-shared.ts';

type Source = readonly [target: EventTarget, type: string, counts?: (event: Event) => boolean];

/** The part of `Temporal` that is used, in browsers that have it. */
interface TemporalScope {
  readonly Temporal?: { readonly Now?: { readonly timeZoneId?: () => string } };
}

/** Emits once for each event that passes its source's filter. */
function emits(...sources: readonly Source[]): Observable<void> {
  return new Observable((subscriber) => {
    const stops = sources.map(([target, type, counts]) => {
      const listener = (event: Event): void => {
        if (counts?.(event) !== false) subscriber.next();
      };
      target.addEventListener(type, listener);
      return () => target.removeEventListener(type, listener);
    });
    return () => stops.forEach((stop) => stop());
  });
}

/** The page's window: its URL, and the events of waking up and leaving. */
export class WindowBrowser implements BrowserPort {
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;

  /** @param server the origin of the server, to which the page may also navigate over http */
  constructor(
    private readonly window: Window,
    private readonly server: string = '',
  ) {
    const { document } = window;
    this.wakes$ = emits(
      [document, 'visibilitychange', () => document.visibilityState === 'visible'],
      [window, 'pageshow', (event) => (event as PageTransitionEvent).persisted],
      [window, 'online'],
    );
    this.leaves$ = emits([window, 'pagehide']);
  }

  get origin(): string {
    return this.window.location.origin;
  }

  get hostname(): string {
    return this.window.location.hostname;
  }

  /** Prefers `Temporal`, because the first use of `Intl.DateTimeFormat` takes 10 ms on a fast machine. */
  get timezone(): string {
    const { Temporal } = this.window as Window & TemporalScope;
    return Temporal?.Now?.timeZoneId?.() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  get userAgent(): string {
    return this.window.navigator.userAgent;
  }

  get isFramed(): boolean {
    return this.window.top !== this.window.self;
  }

  get isOnline(): boolean {
    return this.window.navigator.onLine;
  }

  get isSlow(): boolean {
    const { connection } = this.window.navigator as Navigator & { readonly connection?: { effectiveType?: unknown } };
    return String(connection?.effectiveType).endsWith('2g');
  }

  get mayAutofillPasskeys(): boolean {
    const { PublicKeyCredential } = this.window as Window & { readonly PublicKeyCredential?: object };
    // Only its own method counts: the one inherited from `Credential` always returns false (Credential Management Level 1, section 2.2).
    return PublicKeyCredential !== undefined && Object.hasOwn(PublicKeyCredential, 'isConditionalMediationAvailable');
  }

  href(): string {
    return this.window.location.href;
  }

  replaceUrl(url: string): void {
    const { history } = this.window;
    history.replaceState(history.state, '', url);
  }

  navigate(url: string): void {
    const safe = isPrivateUseUri(url) ? url : safeUrl(url, this.server);
    if (safe === null) throw new RangeError('Refused to navigate: the URL is not safe');
    this.window.location.assign(safe);
  }

  claim(name: string): (() => void) | null {
    const claims = pageShared(this.window, 'claims', () => new Map<string, object>());
    if (claims.has(name)) return null;
    const own = {};
    claims.set(name, own);
    return () => {
      if (claims.get(name) === own) claims.delete(name);
    };
  }
}
