import { Subject, type Observable } from 'rxjs';
import type { BrowserPort } from '../../application/ports/index.ts';
import { isPrivateUseUri, safeUrl } from '../../domain/safe-url.ts';

/** Throws a RangeError for what may not be gone to. */
function checked(url: string): string {
  const safe = safeUrl(url);
  if (safe === null) throw new RangeError('Refused to navigate: the URL is not safe');
  return safe;
}

/** A page that stays where it is and writes down where it was sent. */
export class FakeBrowser implements BrowserPort {
  /** Where `navigate` would have gone, in order. */
  readonly navigations: readonly string[] = [];
  /** True puts the page into a frame of another. */
  isFramed = false;
  /** True makes a slow network. */
  isSlow = false;
  /** False makes a browser without passkeys in a form's fields. */
  mayAutofillPasskeys = true;
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;
  private readonly wakes = new Subject<void>();
  private readonly leaves = new Subject<void>();
  private readonly claims = new Set<string>();
  private url: URL;

  constructor(
    href = 'https://app.example.com/',
    readonly timezone = 'UTC',
    readonly userAgent = 'Mozilla/5.0 (a fake)',
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
    (this.navigations as string[]).push(isPrivateUseUri(url) ? url : checked(url));
  }

  claim(name: string): (() => void) | null {
    if (this.claims.has(name)) return null;
    this.claims.add(name);
    let isMine = true;
    return () => {
      if (isMine) this.claims.delete(name);
      isMine = false;
    };
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
