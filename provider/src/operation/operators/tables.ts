import type { OperatorRole } from '#provider/project/settings/operator-login.ts';

/** A person who may use the operators' page. */
export interface OperatorsTable {
  operator_id: string;
  /** Written to the audit log with every action. */
  name: string;
  role: OperatorRole;
  /** The company's provider and the account there, by which the operator logs in; null for an operator with passkeys. */
  issuer: string | null;
  subject: string | null;
  created_at: Date;
}

export interface OperatorPasskeysTable {
  credential_id: string;
  operator_id: string;
  public_key: string;
  sign_count: number;
  backup_eligible: boolean;
  user_handle: string;
  created_at: Date;
}

/** A link that enrols one passkey. */
export interface OperatorInvitesTable {
  token_hash: string;
  operator_id: string;
  expires_at: Date;
}

export interface OperatorChallengesTable {
  challenge_hash: string;
  /** The operator who enrols; null for a login. */
  operator_id: string | null;
  expires_at: Date;
}

export interface OperatorSessionsTable {
  token_hash: string;
  operator_id: string;
  last_used_at: Date;
  /** When the session ends, no matter how much it is used. */
  expires_at: Date;
}

export interface OperatorTables {
  operators: OperatorsTable;
  operator_passkeys: OperatorPasskeysTable;
  operator_invites: OperatorInvitesTable;
  operator_challenges: OperatorChallengesTable;
  operator_sessions: OperatorSessionsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends OperatorTables {}
}
