import { Subject, type Observable } from 'rxjs';
import type { BrowserPort } from '../../application/ports/index.ts';
import { safeUrl } from '../../domain/safe-url.ts';

/** A page that stays where it is and writes down where it was sent. */
export class FakeBrowser implements BrowserPort {
  /** Where `navigate` would have gone, in order. */
  readonly navigations: readonly string[] = [];
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;
  private readonly wakes = new Subject<void>();
  private readonly leaves = new Subject<void>();
  private url: URL;

  constructor(
    href = 'https://app.example.com/',
    readonly timezone = 'UTC',
  ) {
    this.url = new URL(href);
    this.wakes$ = this.wakes.asObservable();
    this.leaves$ = this.leaves.asObservable();
  }

  get origin(): string {
    return this.url.origin;
  }

  get hostname(): string {
    return this.url.hostname;
  }

  href(): string {
    return this.url.href;
  }

  /** Throws as `history.replaceState` does when the origin would change. */
  replaceUrl(url: string): void {
    const next = new URL(url, this.url);
    if (next.origin !== this.url.origin) throw new DOMException('The origin must stay the same', 'SecurityError');
    this.url = next;
  }

  navigate(url: string): void {
    const safe = safeUrl(url);
    if (safe === null) throw new RangeError('Refused to navigate: the URL is neither https nor http on loopback');
    (this.navigations as string[]).push(safe);
  }

  /** The page became visible, came back from the back-forward cache, or is online again. */
  wake(): void {
    this.wakes.next();
  }

  /** The page is being left. */
  leave(): void {
    this.leaves.next();
  }
}
