import { SDKAPIUnreachableError } from '../../domain/errors.ts';
import type { ClockPort, KeysPort, PublishedKey, VerificationKey } from '../ports/index.ts';
import { CachedValue } from './cached-value.ts';

const MINUTE_MS = 60_000;
/** An operator may replace a key at any time. A withdrawn key stays valid for at most this time. */
const LIFETIMES = { freshMs: 10 * MINUTE_MS, staleMs: 60 * MINUTE_MS };
/** The minimum time between requests for an unknown `kid`, because anyone can write a `kid` into a JWT. */
const COOLDOWN_MS = 30_000;
const MOST_KEYS = 50;

/** The public keys of the project by `kid`: fetched on demand, cached for minutes, and fetched again for a new `kid`. */
export class KeyRing {
  private readonly keys: CachedValue<ReadonlyMap<string, VerificationKey>>;

  constructor(port: KeysPort, clock: ClockPort, shares: boolean) {
    this.keys = new CachedValue('keys', async () => usable(await port.read()), clock, LIFETIMES, shares);
  }

  /** The key, or undefined when the project has no such key. Throws an `UnavailableError` while the keys cannot be read. */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const known = (await this.keys.get()).get(kid);
    if (known !== undefined || this.keys.isYoungerThan(COOLDOWN_MS)) return known;
    return (await this.keys.reload()).get(kid);
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
