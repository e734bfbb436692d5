/** Cookies that a server sets with `set-cookie` headers; a page cannot read them (HttpOnly). */
export class ServerCookies {
  private readonly values = new Map<string, string>();

  get(name: string): string | null {
    return this.values.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.values.set(name, value);
  }

  /** The cookies that the browser sends with a request now. */
  sent(): ReadonlyMap<string, string> {
    return new Map(this.values);
  }

  /** Stores the cookies that the reply sets, and returns the headers that the page may read. */
  received(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { 'set-cookie': line, ...visible } = headers;
    const [, name, value, attributes] = /^([^=;]+)=([^;]*)(.*)$/u.exec(line ?? '') ?? [];
    if (name === undefined || value === undefined) return visible;
    if (/;\s*max-age=0\b/iu.test(attributes ?? '')) this.values.delete(name);
    else this.values.set(name, value);
    return visible;
  }
}
