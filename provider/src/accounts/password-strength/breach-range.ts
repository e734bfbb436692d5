import { Breaker } from '#provider/base/http/breaker.ts';
import { outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { monotonicClock, MINUTE_MS, type Clock } from '#provider/base/platform.ts';
import { includesSuffix, suffixesOf } from './breach-lines.ts';
import { outsideLine } from '#provider/base/security/work-line.ts';
import type { BreachList } from './breach-list.ts';

/** The longest time that a login waits for the service. */
const TIMEOUT_MS = 2_000;
/** Several times the longest range of today, with its padding. */
const MAX_BYTES = 1024 * 1024;
/** Replies are cached, because a password is judged while it is typed and again when it is sent. */
const KEPT_RANGES = 100;
const KEPT_MS = 60 * MINUTE_MS;
const PAUSE = { failures: 3, pauseMs: 30_000 };

interface CachedRange {
  readonly suffixes: string;
  readonly until: number;
}

/**
 * A range API such as `https://api.pwnedpasswords.com/range/`. `GET` with the first five digits of a SHA-1 returns the remaining digits of
 * all hashes with these first five. The service learns neither the password nor its hash. Padding hides from the network which range was
 * returned.
 */
export class BreachRangeApi implements BreachList {
  private readonly cache = new Map<string, CachedRange>();
  private readonly requests = new Map<string, Promise<string>>();
  private readonly breaker: Breaker;
  // The operator chose the address, so a mirror in a private network is allowed.
  private readonly fetch = outsideFetch({ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, allowPrivate: true });

  constructor(
    private readonly url: URL,
    private readonly clock: Clock = monotonicClock,
  ) {
    this.breaker = new Breaker(PAUSE, clock);
  }

  async hasSuffix(prefix: string, suffix: string): Promise<boolean> {
    return includesSuffix(await this.range(prefix), suffix);
  }

  private async range(prefix: string): Promise<string> {
    const entry = this.cache.get(prefix);
    if (entry !== undefined && entry.until > this.clock.now()) return entry.suffixes;
    return outsideLine(() => this.shared(prefix));
  }

  /** Everybody who needs the range waits for one request. */
  private async shared(prefix: string): Promise<string> {
    const request = this.requests.get(prefix) ?? this.breaker.run(() => this.ask(prefix));
    this.requests.set(prefix, request);
    try {
      const suffixes = await request;
      this.keep(prefix, suffixes);
      return suffixes;
    } finally {
      this.requests.delete(prefix);
    }
  }

  private async ask(prefix: string): Promise<string> {
    const url = new URL(`${this.url.pathname.replace(/\/$/u, '')}/${prefix}`, this.url);
    const headers = { 'Add-Padding': 'true', 'User-Agent': 'portico-provider' };
    const reply = await this.fetch(url, { headers });
    if (reply.status !== 200) throw new Error(`the range API answered ${reply.status}`);
    return suffixesOf(await reply.text());
  }

  private keep(prefix: string, suffixes: string): void {
    this.cache.delete(prefix);
    this.cache.set(prefix, { suffixes, until: this.clock.now() + KEPT_MS });
    const [oldest] = this.cache.keys();
    if (this.cache.size > KEPT_RANGES && oldest !== undefined) this.cache.delete(oldest);
  }
}
