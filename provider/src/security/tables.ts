import type { JsonColumn } from '../db/columns.ts';

/** A key pair: of this project as an authorization server, or for the JWTs of sessions. */
export interface SigningKeysTable {
  purpose: 'apps' | 'sessions';
  /** Counts from 1; the highest one that is active signs. */
  generation: number;
  kid: string;
  /** RFC 7517. */
  public_key: JsonColumn<Readonly<Record<string, unknown>>>;
  /** The private key as a JWK, sealed; null once it signs no more. */
  sealed: string | null;
  created_at: Date;
  active_at: Date;
  /** Vouches for the rest of the row; null in what is older than migration 0011, until the first start after it. */
  mac: string | null;
}

/** Keys of this server, wrapped under one that is not in the database. */
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

/** Where a user logged in from lately. */
export interface KnownNetworksTable {
  user_id: string;
  /** Hashed: the database holds no list of places. */
  network: string;
  last_login_at: Date;
  /** When a second factor was entered from there, if ever. */
  second_factor_at: Date | null;
}

export interface SecurityTables {
  signing_keys: SigningKeysTable;
  sealed_keys: SealedKeysTable;
  limit_windows: LimitWindowsTable;
  known_networks: KnownNetworksTable;
}
