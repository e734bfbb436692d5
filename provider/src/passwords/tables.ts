export interface PhoneNumbersTable {
  phone_id: string;
  user_id: string;
  /** E.164. */
  phone_number: string;
  verified: boolean;
  created_at: Date;
}

export interface PasswordsTable {
  password_id: string;
  user_id: string;
  /** Argon2id as a PHC string: it carries its salt and parameters. */
  hash: string;
  requires_reset: boolean;
  created_at: Date;
}

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

/** The tables of migration 0002. */
export interface PasswordsAndPhonesTables {
  phone_numbers: PhoneNumbersTable;
  passwords: PasswordsTable;
  totps: TotpsTable;
  recovery_codes: RecoveryCodesTable;
}
