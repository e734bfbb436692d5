import type { Generated } from 'kysely';
import type { GeneratedJsonColumn } from '../db/columns.ts';

/** Who did something: a user in a session, an app with its tokens, the app's own server, an operator, or this server. */
export type ActorKind = 'user' | 'app' | 'server' | 'operator' | 'system' | 'anonymous';

/** Something that happened to accounts. A row has ids, and neither addresses nor names nor secrets. */
export interface AuditLogTable {
  seq: Generated<number>;
  created_at: Date;
  /** Such as `login`; `audit/events.ts` has them all. */
  event: string;
  outcome: 'ok' | 'refused';
  /** The user to whom it happened. The row stays when the user is deleted. */
  user_id: string | null;
  actor_kind: ActorKind;
  /** The id of the session's user, client or project secret, or the name of an operator. */
  actor_id: string | null;
  /** The login method, such as `otp`. */
  method: string | null;
  /** The keyed hash of the network (`networkKey`): it can be compared, and names no place. */
  network: string | null;
  request_id: string | null;
  details: GeneratedJsonColumn<Readonly<Record<string, unknown>>>;
}

/** How often something happened in an hour: about one user, from one network, or in all. */
export interface AuditCountsTable {
  /** The keyed hash of the budget's name. */
  bucket: string;
  window_start: Date;
  window_end: Date;
  event: string;
  outcome: 'ok' | 'refused';
  user_id: string | null;
  network: string | null;
  error_type: string | null;
  /** How many of them have rows in the log. */
  budget: number;
  hits: number;
}

export interface AuditTables {
  audit_log: AuditLogTable;
  audit_counts: AuditCountsTable;
}

declare module '../db/database.ts' {
  interface Database extends AuditTables {}
}
