import type { ClockPort, CookieScope, CookiesPort } from '#application/ports/index.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import type { TextStore } from './text-store.ts';

/** The tokens of the session, under the names that their cookies have in a browser. Their scope has no meaning here. */
export class TextCookies implements CookiesPort {
  constructor(
    private readonly store: TextStore,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  get(name: string): string | null {
    const stored = parseJson(this.store.get(name) ?? '');
    const { value = null, expiresAt = null } = isRecord(stored) ? stored : {};
    if (typeof value !== 'string') return null;
    return typeof expiresAt === 'number' && expiresAt <= this.clock.now() ? null : value;
  }

  set(name: string, value: string, _scope: CookieScope, expiresAt: number | null): void {
    this.store.set(name, JSON.stringify({ value, expiresAt }));
  }

  remove(name: string): void {
    this.store.remove(name);
  }
}
