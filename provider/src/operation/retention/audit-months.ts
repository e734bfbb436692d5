import { sql } from 'kysely';
import type { Db } from '../../base/db/database.ts';

/**
 * Makes the partitions of the next months of the audit log, and drops those of which the log keeps no row. The functions are of the
 * owner of the table, by the database's clock; either does nothing this time if it would keep writes waiting.
 */
export async function sweepAuditMonths(db: Db): Promise<void> {
  await sql`select audit_log_make_months()`.execute(db);
  for (;;) {
    const { rows } = await sql<{ dropped: number }>`select audit_log_drop_month() as dropped`.execute(db);
    if (rows[0]?.dropped !== 1) return;
  }
}

/** The beginning of the month (UTC). */
export function monthOf(time: number): Date {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
}
