import type { Selectable } from 'kysely';
import type { AuditLogTable } from '#provider/base/audit/tables.ts';
import { TRANSACTION_MS } from '#provider/base/db/statements/transaction-limit.ts';
import type { Services } from '#provider/base/services.ts';

/** An open transaction may still add rows before existing ones. After this time no transaction is open any more. */
export const SETTLED_MS = 3 * TRANSACTION_MS;

export interface SettledRows {
  readonly rows: readonly Selectable<AuditLogTable>[];
  /** Whether there may be more already. */
  readonly more: boolean;
}

/**
 * The oldest rows of the audit log after this number, except those of the last half minute and all that follow them. Rows that are still
 * missing get later numbers than these. If the time of a row is in the future, because the database's clock was wrong, it does not count:
 * the row is settled when one with a later number is.
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
