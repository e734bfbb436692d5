import { sql } from 'kysely';
import type { Db } from '#provider/base/db/database.ts';

/**
 * Makes the partitions of the audit log for the next months, and drops those whose rows the log no longer keeps. The functions belong to
 * the table's owner and use the database's clock. Either does nothing this time if it would block writes.
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
