import { SDKAPIUnreachableError } from '../../domain/errors.ts';
import type { ClockPort, KeysPort, PublishedKey, VerificationKey } from '../ports/index.ts';
import { CachedValue } from './cached-value.ts';

const MINUTE_MS = 60_000;
/** An operator may replace a key at any time; one that was withdrawn is good for no longer than this. */
const LIFETIMES = { freshMs: 10 * MINUTE_MS, staleMs: 60 * MINUTE_MS };
/** How often an unknown `kid` may cause a request: anybody can write one into a JWT. */
const COOLDOWN_MS = 30_000;
const MOST_KEYS = 50;

/** The public keys of the project by `kid`: fetched when needed, kept for minutes, fetched again for a `kid` that is new. */
export class KeyRing {
  private readonly keys: CachedValue<ReadonlyMap<string, VerificationKey>>;

  constructor(port: KeysPort, clock: ClockPort, shares: boolean) {
    this.keys = new CachedValue('keys', async () => usable(await port.read()), clock, LIFETIMES, shares);
  }

  /** The key, or undefined when the project has none of that name. Throws an `UnavailableError` while nobody can tell. */
  async find(kid: string): Promise<VerificationKey | undefined> {
    const known = (await this.keys.get()).get(kid);
    if (known !== undefined || this.keys.isYoungerThan(COOLDOWN_MS)) return known;
    return (await this.keys.reload()).get(kid);
  }
}

/** Keys of another kind or for another use are left out, as are damaged ones. A set without any other is none. */
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
