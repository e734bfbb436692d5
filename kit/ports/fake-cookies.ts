import type { ClockPort, CookieScope, CookiesPort } from '#application/ports/index.ts';
import { fitsCookie } from '#domain/sessions/cookie-size.ts';
import { assertCookieName, assertCookieScope } from '#infrastructure/storage/document-cookies.ts';
import { UnsavedValues } from '#infrastructure/storage/web-storage.ts';

/** A stored cookie. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly scope: CookieScope;
  /** Milliseconds since 1970; null for a session cookie. */
  readonly expiresAt: number | null;
}

const idOf = (name: string, { path, domain }: CookieScope): string => [name, path, domain ?? ''].join(';');

/** The cookies that the tabs of one browser share. `tab()` opens a tab. */
export class CookieJar {
  /** True simulates a browser that blocks cookies: it neither stores nor returns any. */
  blocked = false;
  private readonly entries = new Map<string, Cookie>();

  constructor(private readonly clock: Pick<ClockPort, 'now'>) {}

  /** The cookies that have not expired. */
  get cookies(): readonly Cookie[] {
    return this.blocked ? [] : [...this.entries.values()].filter((cookie) => isAlive(cookie, this.clock));
  }

  tab(): FakeCookies {
    return new FakeCookies(this.clock, this);
  }

  put(cookie: Cookie): void {
    const { name, value, scope } = cookie;
    if (!fitsCookie(name, value)) this.drop(name, scope);
    else if (!this.blocked) this.entries.set(idOf(name, scope), cookie);
  }

  drop(name: string, scope: CookieScope): void {
    if (!this.blocked) this.entries.delete(idOf(name, scope));
  }

  /** Simulates closing the browser: removes the session cookies. */
  endSession(): void {
    for (const [id, cookie] of this.entries) if (cookie.expiresAt === null) this.entries.delete(id);
  }
}

function isAlive({ expiresAt }: Cookie, clock: Pick<ClockPort, 'now'>): boolean {
  return expiresAt === null || clock.now() < expiresAt;
}

/** Cookies in memory: one tab's view of a shared jar, or a separate jar. Every path and domain counts as a match for this page. */
export class FakeCookies implements CookiesPort {
  private readonly unsaved = new UnsavedValues<Cookie | null>();

  constructor(
    private readonly clock: Pick<ClockPort, 'now'>,
    readonly jar: CookieJar = new CookieJar(clock),
  ) {}

  get(name: string): string | null {
    const platformValue = this.readJar(name);
    const mine = this.unsaved.get(name, platformValue);
    if (mine === undefined) return platformValue;
    return mine !== null && isAlive(mine, this.clock) ? mine.value : null;
  }

  all(name: string): readonly string[] {
    const values = this.jar.cookies.filter((cookie) => cookie.name === name).map(({ value }) => value);
    const mine = this.get(name);
    return mine === null || values.includes(mine) ? values : [...values, mine];
  }

  set(name: string, value: string, scope: CookieScope, expiresAt: number | null): void {
    const cookie: Cookie = { name, value, scope, expiresAt };
    this.write(cookie, () => this.jar.put(cookie), cookie);
  }

  remove(name: string, scope: CookieScope): void {
    this.write({ name, scope }, () => this.jar.drop(name, scope), null);
  }

  private write({ name, scope }: Pick<Cookie, 'name' | 'scope'>, act: () => void, cookie: Cookie | null): void {
    assertCookieName(name);
    assertCookieScope(scope);
    this.unsaved.delete(name);
    act();
    const platformValue = this.readJar(name);
    if (platformValue !== (cookie?.value ?? null)) this.unsaved.set(name, cookie, platformValue);
  }

  private readJar(name: string): string | null {
    return this.jar.cookies.find((cookie) => cookie.name === name)?.value ?? null;
  }
}
