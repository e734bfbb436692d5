import type { ColumnType } from 'kysely';

type Json<T> = ColumnType<T, string, string>;
type Scopes = Json<readonly string[]>;

export interface ImpersonationTokensTable {
  token_hash: string;
  user_id: string;
  impersonator_id: string;
  impersonator_email_address: string;
  expires_at: Date;
}

/** What a user lets a connected app do. */
export interface OAuthGrantsTable {
  grant_id: string;
  user_id: string;
  client_id: string;
  scopes: Scopes;
  created_at: Date;
  updated_at: Date;
}

/** All tokens that came of one authorization: they end together. */
export interface OAuthTokenFamiliesTable {
  family_id: string;
  grant_id: string;
  scopes: Scopes;
  /** Where and when the user logged in for it; null in what is older than migration 0005. */
  session_id: string | null;
  auth_time: Date | null;
  created_at: Date;
}

/** Ends with the session that it was made in. */
export interface AuthorizationCodesTable {
  code_hash: string;
  grant_id: string;
  session_id: string;
  redirect_uri: string;
  code_challenge: string | null;
  nonce: string | null;
  scopes: Scopes;
  auth_time: Date;
  expires_at: Date;
  /** What the code was spent for: a second use ends it. */
  family_id: string | null;
}

export interface OAuthAccessTokensTable {
  token_id: string;
  family_id: string;
  scopes: Scopes;
  expires_at: Date;
}

/** Kept until the token has expired anyway. */
export interface UsedTrustedTokensTable {
  token_key: string;
  expires_at: Date;
}

/** The tables of migrations 0004 and 0006. */
export interface AccessTables {
  impersonation_tokens: ImpersonationTokensTable;
  oauth_grants: OAuthGrantsTable;
  oauth_token_families: OAuthTokenFamiliesTable;
  authorization_codes: AuthorizationCodesTable;
  oauth_access_tokens: OAuthAccessTokensTable;
  used_trusted_tokens: UsedTrustedTokensTable;
}
