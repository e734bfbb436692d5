import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { closeAuditCounts } from '#provider/base/audit/budgets.ts';
import { isDatabaseUnavailable, sqlState } from '#provider/base/db/database-errors.ts';
import type { Metrics, SweepTurn } from '#provider/base/metrics/metrics.ts';
import { sweepClientSecrets } from '#provider/apps/idp/clients/client-secrets.ts';
import { sweepSigningKeys } from '#provider/base/security/signing-keys.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { Services } from '#provider/api/services.ts';
import { monthOf, sweepAuditMonths } from './audit-months.ts';
import { BatchSize } from './batch-size.ts';
import { BOUNDS, type SweepPass, type SweptTable } from './bounds.ts';
import { Lease } from '#provider/base/db/statements/lease.ts';
import { sweepOutbox } from '#provider/messages/outbox/store.ts';
import { sweepSignUps } from './sign-ups.ts';

export const SWEEP_EVERY_MS = 10 * MINUTE_MS;
/** The pause after a pass that left rows to delete, and after one that the database aborted. */
const BEHIND_EVERY_MS = 1_000;
const AWAY_EVERY_MS = MINUTE_MS;
/** The pause between two batches, so that requests are not delayed. */
const PAUSE_MS = 50;
/** After this time a table leaves the rest to the next pass, so that every table has its turn. */
const TURN_MS = 30_000;
/** The database aborted a statement, or a row was locked for too long. A smaller batch may succeed. */
const CUT_OFF: ReadonlySet<string> = new Set(['57014', '55P03']);

export interface SweepServices extends Pick<Services, 'db' | 'clock' | 'keys' | 'dev'> {
  readonly metrics?: Pick<Metrics, 'swept' | 'delivery'>;
  /** Called for each failure. Without it the sweep rejects with the first one, after all other parts had their turn. */
  readonly onError?: (error: unknown) => void;
  readonly signal?: AbortSignal;
  /** The time limit in milliseconds for one table. The next pass does the rest. */
  readonly turnMs?: number;
  /** The batch sizes that earlier passes found, by the name of the part. */
  readonly sizes?: Map<string, BatchSize>;
}

export interface SweepResult {
  readonly turns: readonly SweepTurn[];
  /**
   * `done`: nothing is left; `behind`: another pass has more to delete; `busy`: another process sweeps; `away`: the database aborted the
   * pass.
   */
  readonly state: 'done' | 'behind' | 'busy' | 'away';
}

/** Deletes at most this many rows, and resolves with their number. A full batch is followed by another one. */
type Batch = (rows: number) => Promise<number>;

interface SweepPart {
  readonly name: string;
  readonly batches: readonly Batch[];
}

/**
 * Deletes rows that can never be used again, in one process at a time. This only frees space: expired rows are refused anyway. Each table
 * has separate limits and failures.
 */
export async function sweep(sweeping: SweepServices): Promise<SweepResult> {
  const lease = new Lease(sweeping.db, 'sweep');
  const sizes = sweeping.sizes ?? new Map<string, BatchSize>();
  const turns: SweepTurn[] = [];
  const errors: unknown[] = [];
  const report = sweeping.onError ?? ((error: unknown) => void errors.push(error));
  let state: SweepResult['state'] = 'done';
  for (const part of partsOf(sweeping)) {
    const size = sizes.get(part.name) ?? new BatchSize();
    sizes.set(part.name, size);
    if (sweeping.signal?.aborted === true) {
      state = 'behind';
      break;
    }
    try {
      if (!(await lease.hold())) {
        state = 'busy';
        break;
      }
      const turn = await turnOf(sweeping, part, { size, lease, report });
      turns.push(turn);
      sweeping.metrics?.swept(turn);
      if (turn.outcome === 'behind') state = 'behind';
    } catch (error) {
      report(error);
      state = 'away';
      break;
    }
  }
  await lease.release().catch(report);
  if (errors.length > 0) throw errors[0];
  return { turns, state };
}

function partsOf(sweeping: SweepServices): readonly SweepPart[] {
  const { db, clock } = sweeping;
  const once =
    (work: () => Promise<void>): Batch =>
    async () => {
      await work();
      return 0;
    };
  return [
    // Before the rows of the log, so that the rows of a dropped month are not deleted one by one.
    { name: 'audit_log_months', batches: [once(() => sweepAuditMonths(db))] },
    ...Object.entries(BOUNDS).flatMap(([name, tableBound]) =>
      tableBound.by === 'sweep'
        ? [
            {
              name,
              batches: tableBound.passes.map(
                (pass): Batch =>
                  (rows) =>
                    sweepBatch(sweeping, name, tableBound, pass, rows),
              ),
            },
          ]
        : [],
    ),
    { name: 'users', batches: [(rows) => sweepSignUps({ db, clock }, rows)] },
    { name: 'audit_counts', batches: [once(() => closeAuditCounts(sweeping))] },
    { name: 'outbox', batches: [once(() => sweepOutbox(sweeping))] },
    { name: 'oauth_client_secrets', batches: [once(() => sweepClientSecrets({ db, clock }))] },
    { name: 'signing_keys', batches: [once(() => sweepSigningKeys(sweeping))] },
  ];
}

interface TurnState {
  readonly size: BatchSize;
  readonly lease: Lease;
  readonly report: (error: unknown) => void;
}

/** One part's turn. Rejects only if the database is away, which ends the pass. */
async function turnOf(
  { signal, turnMs = TURN_MS }: SweepServices,
  { name, batches }: SweepPart,
  { size, lease, report }: TurnState,
): Promise<SweepTurn> {
  const began = performance.now();
  let rows = 0;
  const finish = (outcome: SweepTurn['outcome']): SweepTurn => ({
    part: name,
    rows,
    seconds: (performance.now() - began) / 1000,
    outcome,
  });
  for (const batch of batches) {
    for (;;) {
      const limit = size.rows;
      const result = await attempt(batch, size);
      if (result === 'cut off') continue;
      if (typeof result === 'object') {
        report(result.error);
        return finish('failed');
      }
      rows += result;
      if (result < limit) break;
      if (signal?.aborted === true || performance.now() - began >= turnMs || !(await lease.hold())) {
        return finish('behind');
      }
      await sleep(PAUSE_MS);
    }
  }
  return finish('done');
}

async function attempt(batch: Batch, size: BatchSize): Promise<number | 'cut off' | { readonly error: unknown }> {
  const began = performance.now();
  try {
    const rows = await batch(size.rows);
    size.took(performance.now() - began);
    return rows;
  } catch (error) {
    const cutOff = CUT_OFF.has(sqlState(error));
    if (cutOff && size.shrink()) return 'cut off';
    if (!cutOff && isDatabaseUnavailable(error)) throw error;
    return { error };
  }
}

/**
 * Deletes one batch in one statement, by keys that it reads from the index on the time. Locked rows are left for the next sweep. The
 * conditions are checked again after locking, so that a session that was extended meanwhile, or a user who verified an address, is kept.
 *
 * @returns the number of rows that were due
 */
async function sweepBatch(
  { db, clock }: Pick<SweepServices, 'db' | 'clock'>,
  table: string,
  tableBound: SweptTable,
  pass: SweepPass,
  limit: number,
): Promise<number> {
  const now = clock.now();
  const column = sql.ref(pass.column);
  const oldest = pass.youngerThanMs === undefined ? null : new Date(now - pass.youngerThanMs);
  const end = now - pass.olderThanMs;
  const old = sql`${column} < ${pass.wholeMonths === true ? monthOf(end) : new Date(end)}
    and ${oldest === null ? sql`true` : sql`${column} >= ${oldest}`} and ${pass.only?.(now) ?? sql`true`}`;
  const from = sql.table(table);
  const key = sql.join(tableBound.key.map((name) => sql.ref(name)));
  const { rows } = await sql<{ due: number }>`with due as materialized (
      select ${key} from ${from} where ${old} order by ${column} limit ${limit} for update skip locked),
    gone as (delete from ${from} where (${key}) in (select ${key} from due) and ${old})
    select count(*)::integer as due from due`.execute(db);
  return rows[0]?.due ?? 0;
}

/**
 * Sweeps now and every ten minutes, sooner while something is left. `prepare` runs before each sweep; if it fails, the sweep is skipped.
 */
export function sweepRegularly(
  sweeping: SweepServices & { readonly onError: (error: unknown) => void },
  prepare: () => Promise<void>,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sizes = new Map<string, BatchSize>();
  const { onError } = sweeping;
  const once = async (): Promise<number> => {
    try {
      await prepare();
      const { state } = await sweep({ ...sweeping, sizes, signal });
      return state === 'behind' ? BEHIND_EVERY_MS : state === 'away' ? AWAY_EVERY_MS : SWEEP_EVERY_MS;
    } catch (error) {
      onError(error);
      return AWAY_EVERY_MS;
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const pause = await once();
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
