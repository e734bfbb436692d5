import { isPublicJwk, MOST_KEYS, type PublicKeys } from '#provider/project/readers/public-keys.ts';
import { LEEWAY_MS, readOutsideJson, UnreadJson } from '#provider/project/readers/outside-json.ts';
import type { TrustedAuthTokenProfile } from '#provider/project/settings/external/trusted-issuers.ts';
import type { Services } from '../services.ts';

/** Twenty keys with their certificates. */
const MAX_BYTES = 64 * 1024;
/** Whoever invents a key id causes a reading, and so does everyone while the keys cannot be read. */
const PAUSE_MS = 30_000;

type KeyServices = Pick<Services, 'clock' | 'project' | 'warn'>;

interface KeySet {
  readonly keys: PublicKeys;
  readonly freshUntil: number;
  readonly usableUntil: number;
}

/** The keys that a trusted issuer publishes (RFC 7517). They are read when they are needed, and stay in memory. */
class IssuerKeys {
  private set: KeySet | null = null;
  private readAt = -Infinity;
  private failure: UnreadJson | null = null;
  private reading: Promise<PublicKeys> | null = null;

  constructor(private readonly profile: TrustedAuthTokenProfile) {}

  /** @throws UnreadJson if they cannot be read, and could not be read within the last day */
  async current(services: KeyServices): Promise<PublicKeys> {
    const isFresh = this.set !== null && services.clock.now() < this.set.freshUntil;
    return this.set !== null && isFresh ? this.set.keys : this.read(services);
  }

  /** The keys, read again for a token whose key is unknown. Simultaneous callers share a reading. */
  async read(services: KeyServices): Promise<PublicKeys> {
    const pause = Math.abs(services.clock.now() - this.readAt);
    if (this.reading === null && pause < PAUSE_MS) return this.last(services);
    this.reading ??= this.fetched(services).finally(() => (this.reading = null));
    return this.reading;
  }

  private async fetched(services: KeyServices): Promise<PublicKeys> {
    const now = services.clock.now();
    this.readAt = now;
    try {
      const { json, freshMs } = await readOutsideJson(new URL(this.profile.jwks_uri ?? ''), {
        name: 'The key set of the trusted issuer',
        maxBytes: MAX_BYTES,
        allowPrivate: services.project.allow_loopback,
        checksType: false,
      });
      const candidates: unknown = json['keys'];
      if (!Array.isArray(candidates)) throw new UnreadJson('The key set of the trusted issuer has no keys.', false);
      // Keys of unknown types are ignored (RFC 7517, section 5). A published private or secret key proves nothing.
      const keys = { keys: candidates.slice(0, MOST_KEYS).filter((key) => isPublicJwk(key)) };
      this.set = { keys, freshUntil: now + freshMs, usableUntil: now + freshMs + LEEWAY_MS };
      this.failure = null;
    } catch (error) {
      if (!(error instanceof UnreadJson)) throw error;
      this.failure = error;
      services.warn?.(`${error.message} Its profile is ${this.profile.profile_id}.`);
    }
    return this.last(services);
  }

  /** The keys of the last reading. They stay in use for a day while the issuer does not answer. */
  private last({ clock }: KeyServices): PublicKeys {
    if (this.set !== null && clock.now() < this.set.usableUntil) return this.set.keys;
    throw this.failure ?? new UnreadJson('The key set of the trusted issuer was not read.', true);
  }
}

/** By profile: a project that is read again has other profiles. */
const KEYS = new WeakMap<TrustedAuthTokenProfile, IssuerKeys>();

export function issuerKeysOf(profile: TrustedAuthTokenProfile): IssuerKeys {
  const keys = KEYS.get(profile) ?? new IssuerKeys(profile);
  KEYS.set(profile, keys);
  return keys;
}
