/** Cookies that a server sets with `set-cookie` headers; a page cannot read them (HttpOnly). */
export class ServerCookies {
  private readonly values = new Map<string, string>();

  get(name: string): string | null {
    return this.values.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.values.set(name, value);
  }

  /** What goes along with a request made now. */
  sent(): ReadonlyMap<string, string> {
    return new Map(this.values);
  }

  /** Keeps what the answer sets; answers its headers as a page may see them. */
  received(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const { 'set-cookie': line, ...visible } = headers;
    const [, name, value, attributes] = /^([^=;]+)=([^;]*)(.*)$/u.exec(line ?? '') ?? [];
    if (name === undefined || value === undefined) return visible;
    if (/;\s*max-age=0\b/iu.test(attributes ?? '')) this.values.delete(name);
    else this.values.set(name, value);
    return visible;
  }
}
