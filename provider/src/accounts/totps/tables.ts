import type { Generated } from 'kysely';

/** At most one authenticator app per user. */
export interface TotpsTable {
  totp_id: string;
  user_id: string;
  /** Encrypted but not hashed, because codes are computed from it. */
  secret: string;
  verified: boolean;
  /** The time step of the last accepted code. Codes of this or an earlier step are refused. */
  last_step: number | null;
  /** When its verification must be done at the latest. After that an unverified app is ignored. */
  expires_at: Date;
  created_at: Date;
  /** The session in which it was enrolled. */
  added_in: string | null;
  /** As for passkeys (`disputed_in`). */
  disputed_in: Generated<string | null>;
}

/** The row of a used code is deleted. */
export interface RecoveryCodesTable {
  totp_id: string;
  code_hash: string;
  /** The code itself, encrypted, because the API shows it again; empty if the project shows it once. */
  sealed: string;
  place: number;
}

export interface TotpTables {
  totps: TotpsTable;
  recovery_codes: RecoveryCodesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends TotpTables {}
}
