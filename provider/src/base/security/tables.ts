import type { JsonColumn } from '../db/statements/columns.ts';

/** A key pair, either of this project as an authorization server, or for the JWTs of sessions. */
export interface SigningKeysTable {
  purpose: 'apps' | 'sessions';
  /** Counts from 1; the highest active one signs. */
  generation: number;
  kid: string;
  /** RFC 7517. */
  public_key: JsonColumn<Readonly<Record<string, unknown>>>;
  /** The private key as an encrypted JWK; null once it no longer signs. */
  sealed: string | null;
  created_at: Date;
  active_at: Date;
  /** Authenticates the rest of the row; null in rows of a version that did not encrypt keys, until the next start. */
  mac: string | null;
}

/** Keys of this server, encrypted under a key that is not in the database. */
export interface SealedKeysTable {
  name: string;
  sealed: string;
}

export interface LimitWindowsTable {
  bucket: string;
  window_start: Date;
  hits: number;
  expires_at: Date;
}

/** The networks from which a user logged in recently. */
export interface KnownNetworksTable {
  user_id: string;
  /** Hashed, so that the database does not contain a list of places. */
  network: string;
  last_login_at: Date;
  /** The last time a second factor was entered from there. */
  second_factor_at: Date | null;
}

/**
 * The secret of a client, and the next one. Between the start of a rotation and its end both are valid, so that every machine of the client
 * can be given the new one. The hashes are keyed, because an operator may choose a weak secret.
 */
export interface ClientSecretColumns {
  /** Null for a client that cannot keep a secret. */
  secret_hash: string | null;
  secret_last_four: string | null;
  next_secret_hash: string | null;
  next_secret_last_four: string | null;
}

export interface SecurityTables {
  signing_keys: SigningKeysTable;
  sealed_keys: SealedKeysTable;
  limit_windows: LimitWindowsTable;
  known_networks: KnownNetworksTable;
}

declare module '../db/database.ts' {
  interface Database extends SecurityTables {}
}
