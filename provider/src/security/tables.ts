import type { ColumnType } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

/** A key pair: of this project as an authorization server, or for the JWTs of sessions. */
export interface SigningKeysTable {
  purpose: 'apps' | 'sessions';
  /** Counts from 1; the highest one that is active signs. */
  generation: number;
  kid: string;
  /** RFC 7517. */
  public_key: Json<Readonly<Record<string, unknown>>>;
  /** The private key as a JWK, sealed; null once it signs no more. */
  sealed: string | null;
  created_at: Date;
  active_at: Date;
  /** Vouches for the rest of the row; null in what is older than migration 0011, until the first start after it. */
  mac: string | null;
}

export interface OAuthRefreshTokensTable {
  token_hash: string;
  family_id: string;
  /** A used one that comes again was stolen. */
  used: boolean;
  created_at: Date;
  expires_at: Date;
}

/** Beside or instead of the one in the project file. */
export interface OAuthClientSecretsTable {
  secret_hash: string;
  client_id: string;
  created_at: Date;
}

/** The tables of migration 0005. */
export interface AuthorizationServerTables {
  signing_keys: SigningKeysTable;
  oauth_refresh_tokens: OAuthRefreshTokensTable;
  oauth_client_secrets: OAuthClientSecretsTable;
}
