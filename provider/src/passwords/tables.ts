export interface PasswordsTable {
  password_id: string;
  user_id: string;
  /** Argon2id as a PHC string: it carries its salt and parameters. */
  hash: string;
  requires_reset: boolean;
  created_at: Date;
}

export interface PasswordTables {
  passwords: PasswordsTable;
}
