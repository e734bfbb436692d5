import type { ColumnType, Generated } from 'kysely';

/** The pending removal of a user's second factors. It waits so that the owner can stop it. */
export interface RecoveriesTable {
  recovery_id: string;
  user_id: string;
  state: 'waiting' | 'canceled' | 'completed';
  started_at: Date;
  /** When it can first be completed. */
  available_at: Date;
  /** When people were notified that it can be completed. */
  announced_at: Generated<Date | null>;
  /** The ids in the outbox of undelivered messages about its start; null when none is under way. */
  undelivered: ColumnType<readonly string[] | null, string | undefined, string | null>;
  /** True if it removes all second factors, and a login with two factors ends it. False if it removes those that a link disputes. */
  ends_with_login: Generated<boolean>;
  /** When the oldest login method and the oldest contact were added, as of the beginning of the dispute. */
  oldest_method_at: Generated<Date | null>;
  oldest_contact_at: Generated<Date | null>;
  ended_at: Generated<Date | null>;
  /** When it can last be completed. The row is deleted a while later. */
  expires_at: Date;
}

export interface RecoveryTables {
  recoveries: RecoveriesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends RecoveryTables {}
}
