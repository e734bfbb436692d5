import { Observable } from 'rxjs';
import type { BrowserPort } from '../../application/ports/index.ts';
import { safeUrl } from '../../domain/safe-url.ts';

type Source = readonly [target: EventTarget, type: string, counts?: (event: Event) => boolean];

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

  get timezone(): string {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  href(): string {
    return this.window.location.href;
  }

  replaceUrl(url: string): void {
    const { history } = this.window;
    history.replaceState(history.state, '', url);
  }

  navigate(url: string): void {
    const safe = safeUrl(url);
    if (safe === null) throw new RangeError('Refused to navigate: the URL is neither https nor http on loopback');
    this.window.location.assign(safe);
  }
}
