export interface ImpersonationTokensTable {
  token_hash: string;
  user_id: string;
  impersonator_id: string;
  impersonator_email_address: string;
  expires_at: Date;
}

/** The row is kept until the token has expired. */
export interface UsedTrustedTokensTable {
  token_key: string;
  expires_at: Date;
}

export interface AccessTables {
  impersonation_tokens: ImpersonationTokensTable;
  used_trusted_tokens: UsedTrustedTokensTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends AccessTables {}
}
