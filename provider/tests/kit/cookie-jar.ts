import { isWithin } from '#domain/rules/session-cookies.ts';

interface JarCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string | null;
  readonly host: string;
  readonly path: string;
  readonly httpOnly: boolean;
}

/** The cookies of a browser, as far as the tests need RFC 6265: domains, paths, deletion and what scripts can read. */
export class CookieJarOfBrowser {
  private kept: readonly JarCookie[] = [];

  /** Stores the `Set-Cookie` lines of a reply from the address. */
  receive(url: string, lines: readonly string[]): void {
    const { hostname } = new URL(url);
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const named = new Map(attributes.map((part) => [part.split('=')[0]?.toLowerCase(), part.split('=')[1] ?? '']));
      const domain = named.get('domain') ?? null;
      if (domain !== null && !isWithin(domain, hostname)) continue;
      if (/^__(?:secure|host)-/iu.test(pair) && !named.has('secure')) continue;
      if (/^__host-/iu.test(pair) && domain !== null) continue;
      const cookie: JarCookie = {
        name: pair.slice(0, pair.indexOf('=')),
        value: pair.slice(pair.indexOf('=') + 1),
        domain,
        host: hostname,
        path: named.get('path') ?? '/',
        httpOnly: named.has('httponly'),
      };
      this.kept = this.kept.filter(
        ({ name, path, domain: parent, host }) =>
          name !== cookie.name || path !== cookie.path || parent !== domain || (domain === null && host !== hostname),
      );
      if (named.get('max-age') !== '0') this.kept = [...this.kept, cookie];
    }
  }

  /** The value of `Cookie` in a request to the address: longer paths first. */
  sentTo(url: string): string {
    return this.matching(url)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  /** `document.cookie` of the page. */
  readableAt(url: string): string {
    return this.matching(url)
      .filter(({ httpOnly }) => !httpOnly)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  private matching(url: string): readonly JarCookie[] {
    const { hostname, pathname } = new URL(url);
    return this.kept
      .filter(({ domain, host }) => (domain === null ? host === hostname : isWithin(domain, hostname)))
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .sort((a, b) => b.path.length - a.path.length);
  }
}
