export interface PasswordsTable {
  password_id: string;
  user_id: string;
  /** Argon2id as a PHC string, which carries its salt and parameters; or the hash of another system (`stored.ts`). */
  hash: string;
  requires_reset: boolean;
  created_at: Date;
  /** The session in which it was set; null for one that was set without a session. */
  added_in: string | null;
}

export interface PasswordTables {
  passwords: PasswordsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends PasswordTables {}
}
