import type { Generated } from 'kysely';

/** A secret with which the app's own server calls the backend API. Several can be valid at once, so that one can be replaced. */
export interface ProjectSecretsTable {
  secret_id: string;
  name: string;
  secret_hash: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** A call of the backend API: its caller, its endpoint, its subject and its result. It contains no token, code or password. */
export interface BackendCallsTable {
  seq: Generated<number>;
  request_id: string;
  secret_id: string;
  /** Stored here because the secret may be revoked. */
  secret_name: string;
  /** Such as `users.delete`. */
  call: string;
  /** False for a call that only reads or checks. There are many of these, so they are deleted sooner. */
  changes: boolean;
  /** The id of the user, client or other thing that the call was about. */
  target: string | null;
  /** Null while a call that changes something is in progress, and permanently if the server died meanwhile. */
  status: number | null;
  error_type: string | null;
  created_at: Date;
}

export interface BackendTables {
  project_secrets: ProjectSecretsTable;
  backend_calls: BackendCallsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends BackendTables {}
}
