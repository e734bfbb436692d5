import type { Observable } from 'rxjs';
import { parseJson } from '#domain/json.ts';
import { hasShape } from '#domain/shape.ts';
import type { StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';

/** The interval of background refreshes (specification, sections 4 and 9). */
export const REFRESH_INTERVAL_MS = 180_000;

const BACKOFF_BASE_MS = 2_000;
const MAX_EXPONENT = 7;
const JITTER_WIDTH_MS = 350;

/**
 * How long to wait after failed attempt number `attempt` (the first is 0), in milliseconds: 2000 * 2 ** min(attempt, 7), with
 * jitter from -175 to +174.
 *
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 * @param retryAfterMs the server's `Retry-After`: a lower bound
 */
export function backoffMs(attempt: number, random: number, retryAfterMs: number | null = null): number {
  const jitter = Math.floor(random * JITTER_WIDTH_MS) - JITTER_WIDTH_MS / 2;
  const wait = BACKOFF_BASE_MS * 2 ** Math.min(attempt, MAX_EXPONENT) + jitter;
  return Math.max(wait, retryAfterMs ?? 0);
}

/** The last refresh attempt of any tab of this browser, and when the next is due. Times are milliseconds since 1970. */
export interface LastTry {
  /** Increases with every attempt, so that a tab can detect an attempt by another tab. */
  readonly count: number;
  readonly at: number;
  /** The number of failed attempts since the last success. */
  readonly failures: number;
  readonly next: number;
  /** The earliest time for the next attempt, from the server's `Retry-After`. */
  readonly notBefore: number;
}

const SHAPE = {
  count: 'number',
  at: 'number',
  failures: 'number',
  next: 'number',
  notBefore: 'number',
} as const;
/** The longest accepted wait. A server cannot stop a client for longer, and a longer stored value is damaged. */
const LONGEST_MS = 3_600_000;
/** Browsers reduce the precision of the clock, differently in each tab. */
const CLOCK_BLUR_MS = 1_000;
/** After this time a tab sees what another one wrote to storage. */
export const STORAGE_TRAVEL_MS = 300;
/** How long a claim is valid. Browsers round the timers of hidden tabs up to a second. */
const CLAIM_MS = 2_000;
/** The width of the random part of a claim: a time has 4,096 fractions of a millisecond. */
const OWN_WIDTH_MS = 64;

/**
 * Two entries in storage that coordinate the tabs, so that one of them refreshes for all: the last attempt, and the claim of the refreshing
 * tab. The claim is the time until which the other tabs wait, with a fraction by which a tab recognizes its own. It is a separate entry,
 * because a tab that wakes up writes its attempt before it can read another tab's claim.
 */
export class RefreshRecord {
  private readonly key: string;
  private readonly claimKey: string;
  /** The last claim of this tab, and the number of attempts at that time. */
  private own = 0;
  private countAtClaim = 0;

  constructor(
    private readonly storage: StoragePort,
    keys: ClientKeys,
  ) {
    this.key = keys.storage('refresh');
    this.claimKey = keys.storage('refresh_claim');
  }

  /** The last attempt. Null if there was none, or the clock has since been set back by more than its imprecision. */
  read(now: number): LastTry | null {
    const record = this.stored();
    if (record === null) return null;
    const inOrder = record.notBefore <= record.next && record.next <= record.at + LONGEST_MS;
    const plausible = inOrder && record.at <= now + CLOCK_BLUR_MS && record.failures >= 0;
    return plausible ? record : null;
  }

  /**
   * Announces to the other tabs that this tab is refreshing the session. They wait for the result for at most `ms`.
   *
   * @param random a number from 0 (inclusive) to 1 (exclusive), other than that of another tab
   */
  begin(now: number, ms: number, random: number): void {
    this.own = now + Math.min(ms, LONGEST_MS) + random * OWN_WIDTH_MS;
    this.countAtClaim = this.count();
    this.storage.set(this.claimKey, String(this.own));
  }

  /** Ends this tab's claim. A claim that is about to expire stays, because another tab may be replacing it. */
  withdraw(now: number): void {
    if (this.claim() === this.own && this.own > now + STORAGE_TRAVEL_MS) this.storage.remove(this.claimKey);
  }

  /** Whether another tab has claimed the refresh since this one began. */
  isReplaced(): boolean {
    const claim = this.claim();
    return claim === null ? this.newer() !== null : claim !== this.own;
  }

  /** Whether the last attempt is a success of another tab since this one began. */
  hasSucceeded(): boolean {
    return this.newer()?.failures === 0;
  }

  /** The remaining time of a refresh that a tab has begun, in milliseconds; null if no tab is refreshing. */
  beingAskedMs(now: number, mostMs: number): number | null {
    const remainingMs = (this.claim() ?? now) - now;
    return remainingMs > 0 && remainingMs <= mostMs + CLOCK_BLUR_MS ? remainingMs : null;
  }

  /**
   * How long this tab must wait before it may refresh, in milliseconds; null if it may now. It waits while another tab refreshes. If a tab
   * did not end what it began, several tabs may notice that at the same moment, before they see each other's writes. So this tab claims the
   * refresh, and may begin if its claim is still there after the storage had time to synchronize.
   */
  claimOrWait(now: number, mostMs: number, random: number): number | null {
    const claim = this.claim();
    if (claim === null) return null;
    const isOwn = claim === this.own;
    const settled = isOwn ? now + CLAIM_MS - STORAGE_TRAVEL_MS : now;
    const remainingMs = this.beingAskedMs(settled, mostMs);
    if (remainingMs !== null || (isOwn && claim <= settled)) return remainingMs;
    this.begin(now, CLAIM_MS, random);
    return STORAGE_TRAVEL_MS;
  }

  /** Emits when another tab has ended an attempt. */
  get attempts$(): Observable<unknown> {
    return this.storage.changes(this.key);
  }

  /** Emits when another tab has claimed the refresh or withdrawn its claim. */
  get claims$(): Observable<unknown> {
    return this.storage.changes(this.claimKey);
  }

  succeeded(at: number): void {
    this.write({ at, failures: 0, next: at + REFRESH_INTERVAL_MS, notBefore: at });
  }

  /**
   * @param random a number from 0 (inclusive) to 1 (exclusive)
   * @param retryAfterMs the server's `Retry-After`, if it sent one
   */
  failed(at: number, failures: number, random: number, retryAfterMs: number | null): void {
    const floor = Math.min(retryAfterMs ?? 0, LONGEST_MS);
    this.write({ at, failures, next: at + backoffMs(failures - 1, random, floor), notBefore: at + floor });
  }

  /** The number of attempts so far. */
  count(): number {
    return this.stored()?.count ?? 0;
  }

  private stored(): LastTry | null {
    const text = this.storage.get(this.key);
    const record = text === null ? null : parseJson(text);
    return hasShape(SHAPE, record) ? record : null;
  }

  /** The last attempt, if it is later than the claim of this tab. */
  private newer(): LastTry | null {
    const last = this.stored();
    return last?.count === this.countAtClaim ? null : last;
  }

  private claim(): number | null {
    return Number(this.storage.get(this.claimKey)) || null;
  }

  private write(record: Omit<LastTry, 'count'>): void {
    const count = (this.count() + 1) % Number.MAX_SAFE_INTEGER;
    this.storage.set(this.key, JSON.stringify({ ...record, count }));
    this.withdraw(record.at);
  }
}
