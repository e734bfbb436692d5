import type { Selectable } from 'kysely';
import type { AuditLogTable } from '../../base/audit/tables.ts';
import { TRANSACTION_MS } from '../../base/db/statements/transaction-limit.ts';
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
 * that is not there yet gets a number after these. The time of a row that is ahead of now, because the database's clock was wrong, says
 * nothing: it is settled when one with a later number is.
 */
export async function settledRows(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  after: number,
  limit: number,
): Promise<SettledRows> {
  const now = clock.now();
  const settled = now - SETTLED_MS;
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const open = rows.findIndex(({ created_at }) => {
    const time = created_at.getTime();
    return time >= settled && time <= now + SETTLED_MS;
  });
  const closed = open === -1 ? rows : rows.slice(0, open);
  const last = closed.reduce((found, { created_at }, place) => (created_at.getTime() < settled ? place : found), -1);
  const isWhole = open === -1 && rows.length === limit;
  const areAll =
    last === closed.length - 1 || (isWhole && (await hasSettled(db, closed.at(-1)?.seq ?? after, settled)));
  return areAll ? { rows: closed, more: isWhole } : { rows: closed.slice(0, last + 1), more: false };
}

async function hasSettled(db: Services['db'], after: number, settled: number): Promise<boolean> {
  const row = await db
    .selectFrom('audit_log')
    .select('seq')
    .where('seq', '>', after)
    .where('created_at', '<', new Date(settled))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
