import { Subject, type Observable } from 'rxjs';
import type { BrowserPort } from '#application/ports/index.ts';
import { isPrivateUseUri, safeUrl } from '#domain/safe-url.ts';

/** Returns the normalized URL. Throws a RangeError if it is not safe to navigate to. */
function checked(url: string): string {
  const safe = safeUrl(url);
  if (safe === null) throw new RangeError('Refused to navigate: the URL is not safe');
  return safe;
}

/** The default page of a tab, to which the fake server also leads. */
export const FAKE_PAGE = 'https://app.example.com/';

/** A page that records navigations instead of following them. */
export class FakeBrowser implements BrowserPort {
  /** The URLs given to `navigate`, in order. */
  readonly navigations: readonly string[] = [];
  /** True simulates a page in another site's frame. */
  isFramed = false;
  /** True simulates a slow network. */
  isSlow = false;
  /** False simulates a browser that does not offer passkeys in form fields. */
  mayAutofillPasskeys = true;
  readonly wakes$: Observable<void>;
  readonly leaves$: Observable<void>;
  private readonly wakes = new Subject<void>();
  private readonly leaves = new Subject<void>();
  private readonly claims = new Set<string>();
  private url: URL;

  constructor(
    href = FAKE_PAGE,
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

  /** Throws, like `history.replaceState`, if the origin would change. */
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

  /** Whether the browser is online. */
  isOnline = true;

  /** Simulates that the page became visible, returned from the back-forward cache, or is online again. */
  wake(): void {
    this.wakes.next();
  }

  /** Simulates leaving the page. */
  leave(): void {
    this.leaves.next();
  }
}
