import { Observable } from 'rxjs';
import type { BrowserPort } from '../../application/ports/index.ts';
import { isPrivateUseUri, safeUrl } from '../../domain/safe-url.ts';
import { pageShared } from './page-shared.ts';

type Source = readonly [target: EventTarget, type: string, counts?: (event: Event) => boolean];

/** The one function of it that is used, where the browser has `Temporal`. */
interface TemporalScope {
  readonly Temporal?: { readonly Now?: { readonly timeZoneId?: () => string } };
}

/** Emits once for each event that counts, of any of the sources. */
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

/** Throws a RangeError for what may not be gone to. */
function checked(url: string): string {
  const safe = safeUrl(url);
  if (safe === null) throw new RangeError('Refused to navigate: the URL is not safe');
  return safe;
}

/** The page's window: its address, and when it sleeps, wakes and goes. */
export class WindowBrowser implements BrowserPort {
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;

  constructor(private readonly window: Window) {
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

  /** The first use of `Intl.DateTimeFormat` takes 10 ms on a fast machine, which a login page would wait for. */
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

  get isSlow(): boolean {
    const { connection } = this.window.navigator as Navigator & { readonly connection?: { effectiveType?: unknown } };
    return String(connection?.effectiveType).endsWith('2g');
  }

  get mayAutofillPasskeys(): boolean {
    const { PublicKeyCredential } = this.window as Window & { readonly PublicKeyCredential?: object };
    // What it inherits from Credential always says no (Credential Management Level 1, section 2.2).
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
    this.window.location.assign(isPrivateUseUri(url) ? url : checked(url));
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
