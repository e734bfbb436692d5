import type { Selectable } from 'kysely';
import type { AuditLogTable } from '../../base/audit/tables.ts';
import { TRANSACTION_MS } from '../../base/db/transaction-limit.ts';
import type { Services } from '../../base/services.ts';

/** A row of a transaction that is still open may get in before rows that are there. After this time no transaction is open. */
export const SETTLED_MS = 3 * TRANSACTION_MS;

export interface SettledRows {
  readonly rows: readonly Selectable<AuditLogTable>[];
  /** Whether more may follow at once. */
  readonly more: boolean;
}

/**
 * The oldest rows of the audit log after the one of a number, without those of the last half minute and all that follow: each row
 * that is not there yet gets a number after these.
 */
export async function settledRows(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  after: number,
  limit: number,
): Promise<SettledRows> {
  const settled = clock.now() - SETTLED_MS;
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const open = rows.findIndex(({ created_at }) => created_at.getTime() >= settled);
  return open === -1 ? { rows, more: rows.length === limit } : { rows: rows.slice(0, open), more: false };
}
