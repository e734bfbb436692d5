import { setTimeout as sleep } from 'node:timers/promises';
import { schemaState, SchemaTooNew, SchemaTooOld } from '#provider/base/db/migrate.ts';
import type { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import { knownKeys, openKey } from '#provider/base/security/signing-key-rows.ts';
import type { Services } from '#provider/api/services.ts';

/** The requirements for answering requests; `stopping` means that the server is about to end. */
export type Check = 'database' | 'migrations' | 'keys' | 'stopping';

/** Short, because load balancers wait two to five seconds. */
const LIMIT_MS = 2_000;
/** How long an answer is reused, so that a caller without a token cannot keep the database busy. */
const KEPT_MS = 1_000;
/** A server that was ready stays so until the database was late or absent this many times in a row. */
const MISSES = 3;

type HealthServices = Pick<Services, 'db' | 'keys' | 'clock'>;

/**
 * Checks whether this server can answer requests. Missing migrations and keys count immediately. A database that does not answer counts
 * only after several checks in a row: load slows down the answers of all servers at once, and if none of them is ready, nobody is served.
 */
export class Health {
  private last: { readonly failing: Promise<readonly Check[]>; readonly at: number } | null = null;
  /** A check that is still running after its time limit. The next check waits for it instead of using another connection. */
  private pending: Promise<readonly Check[]> | null = null;
  private ready = false;
  private misses = 0;

  /** @param services with a connection that nothing else uses, so that requests cannot keep the checks waiting */
  constructor(
    private readonly services: HealthServices,
    private readonly draining: Pick<ConnectionDrain, 'active' | 'closing'>,
    private readonly limitMs = LIMIT_MS,
    private readonly keptMs = KEPT_MS,
  ) {}

  /** Whether the server is about to stop listening. */
  get closing(): boolean {
    return this.draining.closing;
  }

  /** The failing checks; none if the server is ready. Never rejects, and answers within the time limit. */
  async failing(): Promise<readonly Check[]> {
    if (this.draining.active) return ['stopping'];
    if (this.last === null || performance.now() - this.last.at >= this.keptMs) {
      this.last = { failing: this.check().then((found) => this.judge(found)), at: performance.now() };
    }
    return this.last.failing;
  }

  private judge(found: readonly Check[]): readonly Check[] {
    if (!found.includes('database')) {
      this.misses = 0;
      this.ready = found.length === 0;
      return found;
    }
    this.misses += 1;
    if (this.ready && this.misses < MISSES) return [];
    this.ready = false;
    return found;
  }

  private async check(): Promise<readonly Check[]> {
    this.pending ??= failingIn(this.services).finally(() => (this.pending = null));
    const over = new AbortController();
    const late = sleep(this.limitMs, ['database'] as const, { signal: over.signal });
    late.catch(() => undefined);
    try {
      return await Promise.race([this.pending, late]);
    } finally {
      over.abort();
    }
  }
}

async function failingIn(services: HealthServices): Promise<readonly Check[]> {
  try {
    const { pending } = await schemaState(services.db);
    // If tables are missing, nothing else can be checked.
    if (pending.length > 0) return ['migrations'];
    return (await keysAreReadable(services)) ? [] : ['keys'];
  } catch (error) {
    return [error instanceof SchemaTooNew || error instanceof SchemaTooOld ? 'migrations' : 'database'];
  }
}

/** False if this server's data keys cannot open the database's signing keys, for example after another database was restored. */
async function keysAreReadable(services: HealthServices): Promise<boolean> {
  const keys = await knownKeys(services, 'sessions');
  const now = services.clock.now();
  const newest = keys.find(({ active_at }) => active_at.getTime() <= now) ?? keys.at(-1);
  if (newest !== undefined) return (await openKey(services, newest)) !== null;
  // Without keys this is true: the first login makes the first key.
  const row = await services.db
    .selectFrom('signing_keys')
    .select('kid')
    .where('purpose', '=', 'sessions')
    .executeTakeFirst();
  return row === undefined;
}
