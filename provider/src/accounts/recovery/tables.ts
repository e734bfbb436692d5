import type { ColumnType, Generated } from 'kysely';

/** The removal of second factors of a user, which waits so that its owner can stop it. */
export interface RecoveriesTable {
  recovery_id: string;
  user_id: string;
  state: 'waiting' | 'canceled' | 'completed';
  started_at: Date;
  /** From then on it can be completed. */
  available_at: Date;
  /** When people were told that it can be completed. */
  announced_at: Generated<Date | null>;
  /** The messages of its start that were not delivered yet, by their ids in the outbox; null when none is under way. */
  undelivered: ColumnType<readonly string[] | null, string | undefined, string | null>;
  /** Whether it removes all second factors, and a login of two ends it; else it removes those that a link disputes. */
  ends_with_login: Generated<boolean>;
  /** When the oldest login method and the oldest contact were added, as the dispute began. */
  oldest_method_at: Generated<Date | null>;
  oldest_contact_at: Generated<Date | null>;
  ended_at: Generated<Date | null>;
  /** Until then it can be completed; a while later the row is deleted. */
  expires_at: Date;
}

export interface RecoveryTables {
  recoveries: RecoveriesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends RecoveryTables {}
}
