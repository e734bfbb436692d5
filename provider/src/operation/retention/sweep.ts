import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { closeAuditCounts } from '../../base/audit/budgets.ts';
import { isDatabaseUnavailable } from '../../base/db/database-errors.ts';
import type { Db } from '../../base/db/database.ts';
import { transaction } from '../../base/db/transaction.ts';
import { sweepClientSecrets } from '../../apps/idp/client-secrets.ts';
import { sweepSigningKeys } from '../../base/security/signing-keys.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import type { Services } from '../../api/services.ts';
import { BOUNDS, type TableBound, type SweepPass } from './bounds.ts';
import { sweepOutbox } from '../../messages/outbox/store.ts';
import { sweepSignUps } from './sign-ups.ts';

export const SWEEP_EVERY_MS = 10 * MINUTE_MS;
/** Small batches with pauses, so that requests are not delayed. */
const BATCH = 500;
const PAUSE_MS = 50;
/** The number for `pg_try_advisory_xact_lock`: arbitrary, but used for nothing else. */
const LOCK = 7_402_613_951;

export interface SweepServices extends Pick<Services, 'db' | 'clock' | 'keys' | 'dev'> {
  /** Called for each failure; without it the sweep rejects. */
  readonly onError?: (error: unknown) => void;
  readonly signal?: AbortSignal;
}

/**
 * Deletes rows that can never be used again, in one process at a time. It only frees space: expired rows are refused anyway.
 */
export async function sweep(sweeping: SweepServices): Promise<void> {
  const { db, clock } = sweeping;
  const parts = [
    ...Object.entries(BOUNDS).map(
      ([table, bound]) =>
        () =>
          sweepTable(sweeping, table, bound),
    ),
    () => sweepDueSignUps(sweeping),
    () => closeAuditCounts(sweeping),
    () => sweepOutbox(sweeping),
    () => sweepClientSecrets({ db, clock }),
    () => sweepSigningKeys(sweeping),
  ];
  for (const part of parts) {
    if (sweeping.signal?.aborted === true) return;
    try {
      // False means that another process is sweeping.
      if ((await part()) === false) return;
    } catch (error) {
      if (sweeping.onError === undefined) throw error;
      sweeping.onError(error);
      if (isDatabaseUnavailable(error)) return;
    }
  }
}

/** False while another process sweeps. */
async function sweepTable({ db, clock, signal }: SweepServices, table: string, bound: TableBound): Promise<boolean> {
  for (const pass of bound.by === 'sweep' ? bound.passes : []) {
    for (;;) {
      const removed = await sweepBatch(db, clock.now(), table, pass);
      if (removed === null) return false;
      if (signal?.aborted === true) return true;
      if (removed < BATCH) break;
      await sleep(PAUSE_MS);
    }
  }
  return true;
}

/** Of several processes, each takes other users: the ones of another are locked. */
async function sweepDueSignUps({ db, clock, signal }: SweepServices): Promise<void> {
  while ((await sweepSignUps({ db, clock }, BATCH)) === BATCH) {
    if (signal?.aborted === true) return;
    await sleep(PAUSE_MS);
  }
}

/**
 * Deletes one batch. Locked rows are left for the next sweep. The conditions are checked again after locking, so that a session that
 * was extended meanwhile, or a user who verified an address, is kept. Null while another process sweeps.
 */
async function sweepBatch(db: Db, now: number, table: string, pass: SweepPass): Promise<number | null> {
  const column = sql.ref(pass.column);
  const oldest = pass.youngerThanMs === undefined ? null : new Date(now - pass.youngerThanMs);
  const old = sql`${column} < ${new Date(now - pass.olderThanMs)}
    and ${oldest === null ? sql`true` : sql`${column} >= ${oldest}`} and ${pass.only?.(now) ?? sql`true`}`;
  const from = sql.table(table);
  return transaction(db, async (tx) => {
    const { rows: locks } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as mine`.execute(tx);
    if (locks[0]?.mine !== true) return null;
    const { rows } = await sql<{ place: string }>`select ctid::text as place from ${from} where ${old}
      order by ${column} limit ${sql.lit(BATCH)} for update skip locked`.execute(tx);
    if (rows.length === 0) return 0;
    const places = sql.join(rows.map(({ place }) => sql`${place}::tid`));
    await sql`delete from ${from} where ctid in (${places}) and ${old}`.execute(tx);
    return rows.length;
  });
}

/** Sweeps now and every ten minutes. `prepare` runs before each sweep; if it fails, the sweep is skipped. */
export function sweepRegularly(
  sweeping: SweepServices & { readonly onError: (error: unknown) => void },
  prepare: () => Promise<void>,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { onError } = sweeping;
  const once = async (): Promise<void> => {
    try {
      await prepare();
      await sweep({ ...sweeping, signal: stopping.signal });
    } catch (error) {
      onError(error);
    }
  };
  let running = once();
  const timer = setInterval(() => {
    running = running.then(once);
  }, SWEEP_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      stopping.abort();
      return running;
    },
  };
}
