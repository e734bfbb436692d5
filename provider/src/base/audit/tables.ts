import type { Generated } from 'kysely';
import type { GeneratedJsonColumn } from '../db/statements/columns.ts';

/** The kind of actor: a user in a session, an app with its tokens, the app's own server, an operator, or this server. */
export type ActorKind = 'user' | 'app' | 'server' | 'operator' | 'system' | 'anonymous';

/** An event of an account. A row has ids, and no addresses, names or secrets. */
export interface AuditLogTable {
  seq: Generated<number>;
  created_at: Date;
  /** Such as `login`; `audit/events.ts` lists all. */
  event: string;
  outcome: 'ok' | 'refused';
  /** The user that the event is about. The row stays when the user is deleted. */
  user_id: string | null;
  actor_kind: ActorKind;
  /** The id of the session's user, client or project secret, or the name of an operator. */
  actor_id: string | null;
  /** The login method, such as `otp`. */
  method: string | null;
  /** The keyed hash of the network (`networkKey`): comparable, without revealing a location. */
  network: string | null;
  request_id: string | null;
  details: GeneratedJsonColumn<Readonly<Record<string, unknown>>>;
}

/** How often an event happened in an hour: about one user, from one network, or in total. */
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
  /** The number of rows of this kind that the log accepts. */
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
