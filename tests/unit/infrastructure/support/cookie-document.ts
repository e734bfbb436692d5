/** A browser's cookies as one page sees them: RFC 6265bis, section 5, as far as `document.cookie` shows it. */

export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly expires: number | null;
}

export type CookieStore = Map<string, StoredCookie>;

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f]/u;

export class CookieDocument {
  /** Every text assigned to `cookie`. */
  readonly writes: string[] = [];
  blocked = false;

  constructor(
    private readonly page: URL,
    private readonly now: () => number,
    private readonly store: CookieStore = new Map(),
  ) {}

  get cookie(): string {
    if (this.blocked) return '';
    return (
      [...this.store.values()]
        .filter((cookie) => this.isShown(cookie))
        // Of equal length the older one first: the map keeps the order of creation.
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
    );
  }

  set cookie(line: string) {
    this.writes.push(line);
    if (this.blocked || CONTROL.test(line)) return;
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const name = at < 0 ? '' : pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    if (name.length + value.length > 4096) return;
    const given = new Map<string, string>();
    for (const attribute of attributes) {
      const [key = '', ...rest] = attribute.split('=');
      given.set(key.trim().toLowerCase(), rest.join('=').trim());
    }
    if (given.has('secure') && this.page.protocol !== 'https:' && this.page.hostname !== 'localhost') return;
    const domain = (given.get('domain') ?? '').replace(/^\./u, '').toLowerCase();
    // A name without a dot is a public suffix.
    if (domain !== '' && !(this.isWithin(domain) && domain.includes('.'))) return;
    const path = given.get('path') ?? '';
    if (/^__(?:host|secure)-/iu.test(name) && !(given.has('secure') && this.page.protocol === 'https:')) return;
    if (/^__host-/iu.test(name) && (domain !== '' || path !== '/')) return;
    const expires = given.has('expires') ? Date.parse(given.get('expires') ?? '') : null;
    const stored: StoredCookie = {
      name,
      value,
      path: path.startsWith('/') ? path : this.page.pathname.replace(/(?<=.)\/[^/]*$/u, ''),
      domain: domain === '' ? this.page.hostname : domain,
      hostOnly: domain === '',
      expires: expires === null || Number.isNaN(expires) ? null : expires,
    };
    const id = [name, stored.domain, stored.hostOnly, stored.path].join(';');
    if (stored.expires !== null && stored.expires <= this.now()) this.store.delete(id);
    else this.store.set(id, stored);
  }

  private isWithin(domain: string): boolean {
    return this.page.hostname === domain || this.page.hostname.endsWith(`.${domain}`);
  }

  private isShown({ path, domain, hostOnly, expires }: StoredCookie): boolean {
    if (expires !== null && expires <= this.now()) return false;
    if (hostOnly ? this.page.hostname !== domain : !this.isWithin(domain)) return false;
    const at = this.page.pathname;
    return at === path || (at.startsWith(path) && (path.endsWith('/') || at.charAt(path.length) === '/'));
  }
}
