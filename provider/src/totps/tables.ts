/** At most one authenticator app per user. */
export interface TotpsTable {
  totp_id: string;
  user_id: string;
  /** Sealed: a code is made from it. */
  secret: string;
  verified: boolean;
  /** The time step of the last code that was taken: neither it nor an older one is taken again. */
  last_step: number | null;
  /** Until when it can be verified; past that an unverified one is nothing. */
  expires_at: Date;
  created_at: Date;
}

/** A used code is a removed row. */
export interface RecoveryCodesTable {
  totp_id: string;
  code_hash: string;
  /** The code itself, sealed: the wire shows it to its user again. */
  sealed: string;
  place: number;
}

export interface TotpTables {
  totps: TotpsTable;
  recovery_codes: RecoveryCodesTable;
}
