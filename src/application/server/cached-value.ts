import { isAuthError, retryAfterOf, SDKAPIUnreachableError } from '#domain/errors.ts';
import type { ClockPort } from '../ports/index.ts';
import type { RefusedSetting, Unavailable } from './authentication.ts';

/** The pause after a failed request, unless the server requests another one. */
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** Thrown when a resource could not be read. The verifier returns its `result`. */
export class UnavailableError extends Error {
  readonly result: Unavailable;

  constructor(needs: Unavailable['needs'], cause: unknown, retryAfterMs = retryAfterOf(cause) ?? PAUSE_MS) {
    super(`The ${needs} could not be read`);
    const authError = isAuthError(cause) && (cause.kind === 'unreachable' || cause.kind === 'api') ? cause : null;
    const error = authError ?? new SDKAPIUnreachableError('network');
    if (authError === null) error.cause = cause;
    const setting = refusedSetting(needs, cause);
    this.result = { status: 'unavailable', needs, error, retryAfterMs, ...(setting === null ? {} : { setting }) };
  }
}

/** The cause of an `UnavailableError` if nothing failed, but the result will be known only later. */
export class Doubt extends Error {
  /** @param problem what an operator can correct */
  constructor(
    message: string,
    readonly problem: string | null = null,
  ) {
    super(message);
  }
}

const SETTINGS: ReadonlyMap<string, RefusedSetting> = new Map([
  ['missing_public_token', 'publicToken'],
  ['invalid_public_token', 'publicToken'],
  // The backend API's type; for a visitor's session it uses another type.
  ['unauthorized_credentials', 'secret'],
]);

/** The option of the verifier that the API rejected, so that all later requests will fail, too; else null. */
function refusedSetting(needs: Unavailable['needs'], cause: unknown): RefusedSetting | null {
  if (!isAuthError(cause) || cause.kind !== 'api') return null;
  if (needs === 'keys') return cause.status_code === 404 ? 'projectId' : null;
  return SETTINGS.get(cause.error_type) ?? null;
}

export interface CacheLifetimes {
  /** The maximum age of a value that is used without a request. */
  readonly freshMs: number;
  /** The maximum age of a value that is used while a newer one cannot be read. */
  readonly staleMs: number;
}

/**
 * A value of the API that is read on first use, and again when it is too old. Callers that need it simultaneously share one request. After
 * a failure nothing is sent for some seconds.
 */
export class CachedValue<T> {
  private entry: { readonly value: T; readonly at: number; readonly read: number } | null = null;
  /** The number of reads that have begun. */
  private reads = 0;
  private failed: { readonly cause: unknown; readonly until: number } | null = null;
  private loading: Promise<T> | null = null;

  /** @param shares false on platforms where a request must not wait for another request's fetch, such as edge workers */
  constructor(
    private readonly needs: Unavailable['needs'],
    private readonly load: () => Promise<T>,
    private readonly clock: ClockPort,
    private readonly lifetimes: CacheLifetimes,
    private readonly shares: boolean,
  ) {}

  async get(): Promise<T> {
    const { entry } = this;
    if (entry !== null && this.isYoungerThan(this.lifetimes.freshMs)) return entry.value;
    try {
      return await this.reload();
    } catch (error) {
      if (entry !== null && this.isYoungerThan(this.lifetimes.staleMs)) return entry.value;
      throw error;
    }
  }

  /** False if no value was read, or the clock was set back. */
  isYoungerThan(ms: number): boolean {
    const age = this.age;
    return age >= 0 && age < ms;
  }

  /** The time since the value was read, in milliseconds. */
  get age(): number {
    return this.entry === null ? Number.NaN : this.clock.now() - this.entry.at;
  }

  /** Whether a shared request is under way. */
  get isLoading(): boolean {
    return this.shares && this.loading !== null;
  }

  /** A mark of the current moment for `isSince`. */
  mark(): number {
    return this.reads;
  }

  /** Whether the read of the value began after the mark. */
  isSince(mark: number): boolean {
    return this.entry !== null && this.entry.read > mark;
  }

  /** Reads a newer value. Throws an `UnavailableError` if that fails, or failed a moment ago. */
  async reload(): Promise<T> {
    if (this.loading !== null && this.shares) return this.loading;
    const waitMs = (this.failed?.until ?? 0) - this.clock.now();
    if (this.failed !== null && waitMs > 0 && waitMs <= LONGEST_PAUSE_MS) {
      throw new UnavailableError(this.needs, this.failed.cause, waitMs);
    }
    const loading = this.read();
    this.loading = loading;
    try {
      return await loading;
    } finally {
      if (this.loading === loading) this.loading = null;
    }
  }

  private async read(): Promise<T> {
    this.reads += 1;
    const read = this.reads;
    try {
      const value = await this.load();
      this.entry = { value, at: this.clock.now(), read };
      this.failed = null;
      return value;
    } catch (cause) {
      const pause = Math.min(retryAfterOf(cause) ?? PAUSE_MS, LONGEST_PAUSE_MS);
      this.failed = { cause, until: this.clock.now() + pause };
      throw new UnavailableError(this.needs, cause, pause);
    }
  }
}
