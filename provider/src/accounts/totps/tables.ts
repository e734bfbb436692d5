import type { Generated } from 'kysely';
import type { TotpParameters } from './code.ts';

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
  algorithm: Generated<TotpParameters['algorithm']>;
  digits: Generated<TotpParameters['digits']>;
  period: Generated<number>;
  /** True while its recovery codes are those of another system, which may be short enough to guess. */
  imported_codes: Generated<boolean>;
}

/** The row of a used code is deleted. */
export interface RecoveryCodesTable {
  totp_id: string;
  code_hash: string;
  /** The code itself, encrypted, because the API shows it again; empty if the project shows it once. */
  sealed: string;
  place: number;
  /** The hash of another system, encrypted; null for a code whose text was known when it was stored. */
  migrated: Generated<string | null>;
}

export interface TotpTables {
  totps: TotpsTable;
  recovery_codes: RecoveryCodesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends TotpTables {}
}
