import { SDKAPIUnreachableError } from '#domain/errors.ts';
import type { ClockPort, KeysPort, PublishedKey, VerificationKey } from '../ports/index.ts';
import { CachedValue, Doubt, UnavailableError } from './cached-value.ts';

const MINUTE_MS = 60_000;
/** An operator may replace a key at any time. A withdrawn key stays valid for at most this time. */
const LIFETIMES = { freshMs: 10 * MINUTE_MS, staleMs: 60 * MINUTE_MS };
/** The minimum time between requests for an unknown `kid`, because anyone can write a `kid` into a JWT. */
const COOLDOWN_MS = 5_000;
const MOST_KEYS = 50;

/** Thrown for a key that was missing when the keys were read a moment ago: it may be new, or invented. */
export class UnknownKeyError extends UnavailableError {
  constructor(
    readonly kid: string,
    retryAfterMs: number,
  ) {
    super('keys', new Doubt('The key of the JWT is not known yet'), retryAfterMs);
  }
}

/** The public keys of the project by `kid`: fetched on demand, cached for minutes, and fetched again for a new `kid`. */
export class KeyRing {
  private readonly keys: CachedValue<ReadonlyMap<string, VerificationKey>>;
  /** The key ids that the API has confirmed. */
  private readonly confirmed = new Set<string>();
  /** When the keys were last requested for an unknown `kid`. */
  private requestedAt = Number.NEGATIVE_INFINITY;

  constructor(
    port: KeysPort,
    private readonly clock: ClockPort,
    shares: boolean,
  ) {
    this.keys = new CachedValue('keys', async () => usable(await port.read()), clock, LIFETIMES, shares);
  }

  /**
   * The key, or undefined if the project has no such key. Throws an `UnavailableError` while the keys cannot be read, and an
   * `UnknownKeyError` if only a newer set can decide.
   */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const mark = this.keys.mark();
    const cachedKey = (await this.keys.get()).get(kid);
    if (cachedKey !== undefined || this.keys.isSince(mark)) return cachedKey;
    if (!this.keys.isLoading) this.beginRequest(kid);
    const key = (await this.keys.reload()).get(kid);
    if (key === undefined && !this.keys.isSince(mark)) throw new UnknownKeyError(kid, COOLDOWN_MS);
    return key;
  }

  private beginRequest(kid: string): void {
    const now = this.clock.now();
    const ages = [this.keys.age, now - this.requestedAt].filter((age) => age >= 0 && age < COOLDOWN_MS);
    if (ages.length > 0) throw new UnknownKeyError(kid, COOLDOWN_MS - Math.min(...ages));
    this.requestedAt = now;
  }

  /** Reads the keys again, because the API accepts this one. */
  async confirm(kid: string): Promise<void> {
    if (this.confirmed.has(kid) && this.keys.isYoungerThan(COOLDOWN_MS)) return;
    this.confirmed.add(kid);
    await this.keys.reload().catch(() => undefined);
  }
}

/** Leaves out damaged keys and those of another type or use. A set without usable keys is invalid. */
function usable(published: readonly PublishedKey[]): ReadonlyMap<string, VerificationKey> {
  const keys = new Map<string, VerificationKey>();
  for (const { kid, kty, n, e, alg = 'RS256', use = 'sig' } of published.slice(0, MOST_KEYS)) {
    const fits = kty === 'RSA' && alg === 'RS256' && use === 'sig';
    if (fits && typeof kid === 'string' && typeof n === 'string' && typeof e === 'string' && !keys.has(kid)) {
      keys.set(kid, { kty, n, e });
    }
  }
  if (keys.size === 0) throw new SDKAPIUnreachableError('invalid-response');
  return keys;
}
