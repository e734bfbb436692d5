import type { CookieJar } from '../ports/fake-cookies.ts';

/** A server's cookies in the page's jar. Every scope counts as a match. */
const SCOPE = { path: '/', domain: null, secure: false } as const;

/** Cookies that a server sets with `set-cookie` headers. A page cannot read them if they are HttpOnly. */
export class ServerCookies {
  private readonly values = new Map<string, string>();

  /** @param page receives the cookies that are not HttpOnly; without it, no cookie can be read */
  constructor(private readonly page: CookieJar | null = null) {}

  get(name: string): string | null {
    return this.values.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.values.set(name, value);
  }

  /** The cookies that the browser would send with a request now. */
  forRequest(): ReadonlyMap<string, string> {
    return new Map(this.values);
  }

  /** Stores the cookies that the reply sets, one per line, and returns the headers that the page may read. */
  received(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { 'set-cookie': lines = '', ...visible } = headers;
    for (const line of lines.split('\n')) this.keep(line);
    return visible;
  }

  private keep(line: string): void {
    const [, name, value, attributes = ''] = /^([^=;]+)=([^;]*)(;.*)?$/u.exec(line) ?? [];
    if (name === undefined || value === undefined) return;
    const isRemoved = /;\s*max-age=0\b/iu.test(attributes);
    if (isRemoved) this.values.delete(name);
    else this.values.set(name, value);
    if (isRemoved) this.page?.drop(name, SCOPE);
    else if (!/;\s*httponly\b/iu.test(attributes)) this.page?.put({ name, value, scope: SCOPE, expiresAt: null });
  }
}
