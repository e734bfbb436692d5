import type { ColumnType, Generated, Kysely } from 'kysely';
import type { AccessTables } from '../idp/tables.ts';
import type { AuthorizationServerTables } from '../security/tables.ts';
import type { PasskeysWalletsSocialTables } from '../passkeys/tables.ts';
import type { PasswordsAndPhonesTables } from '../passwords/tables.ts';
import type { AuthenticationFactor, Session } from '../../../src/domain/session.ts';
import type { UserName } from '../../../src/domain/user.ts';

/** A JSON column: read as a value, written as its text, because drivers disagree about arrays. */
type Json<T> = ColumnType<T, string, string>;
type Metadata = Readonly<Record<string, unknown>>;

export interface UsersTable {
  user_id: string;
  created_at: Date;
  status: 'active' | 'pending';
  name: Json<UserName>;
  trusted_metadata: Json<Metadata>;
  untrusted_metadata: Json<Metadata>;
  roles: Json<readonly string[]>;
}

export interface EmailsTable {
  email_id: string;
  user_id: string;
  /** As first given. */
  email: string;
  /** What makes it unique: ASCII letters in lower case. */
  email_key: string;
  verified: boolean;
  created_at: Date;
}

/** One row for each send. */
export interface PasscodesTable {
  /** Random, and told to nobody but who asked for the code: the wire's `method_id` of a send. */
  passcode_id: string;
  /** Whose the address or number is, or whom it is added to. */
  user_id: string;
  /** The address or number that the code went to: its id, or the one that it gets when it is added. */
  method_id: string;
  /** The network that asked, hashed. */
  network: string;
  code_hash: string;
  tries: number;
  channel: 'email' | 'sms' | 'whatsapp';
  /** The user whom the code adds its address to, or null when it logs in whose it is. */
  adds_to: string | null;
  /** What is added. */
  address: string | null;
  created_at: Date;
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

export interface MagicLinksTable {
  token_hash: string;
  /** Whom the link logs in, or adds its address to; null for one that is nobody's. */
  user_id: string | null;
  /** Null for an address that is added with the link. */
  email_id: string | null;
  code_challenge: string | null;
  expires_at: Date;
  purpose: Generated<'login' | 'reset_password'>;
  /** The user whom the link adds its address to, or null when it logs in whose it is. */
  adds_to: string | null;
  /** What is added. */
  address: string | null;
}

export interface SessionsTable {
  session_id: string;
  user_id: string;
  started_at: Date;
  last_accessed_at: Date;
  expires_at: Date;
  attributes: Json<Session['attributes']>;
  authentication_factors: Json<readonly AuthenticationFactor[]>;
  /** Counts the rotations of the session's token. */
  generation: Generated<number>;
  /** The tokens of the app that the session was made from. */
  family_id: string | null;
}

export interface SessionTokensTable {
  token_hash: string;
  session_id: string;
  /** The session's own, or the token is worth nothing. */
  generation: Generated<number>;
}

export interface OutboxTable {
  seq: Generated<number>;
  id: string;
  channel: 'email' | 'sms' | 'whatsapp';
  recipient: string;
  subject: string;
  text: string;
  code: string | null;
  link: string | null;
  at: Date;
  /** When the code or link is worth nothing any more. */
  expires_at: Date;
}

export interface LimitWindowsTable {
  bucket: string;
  window_start: Date;
  hits: number;
  expires_at: Date;
}

/** Keys of this server, wrapped under one that is not in the database. */
export interface SealedKeysTable {
  name: string;
  sealed: string;
}

export interface Tables
  extends PasswordsAndPhonesTables, PasskeysWalletsSocialTables, AccessTables, AuthorizationServerTables {
  users: UsersTable;
  emails: EmailsTable;
  passcodes: PasscodesTable;
  known_networks: KnownNetworksTable;
  magic_links: MagicLinksTable;
  sessions: SessionsTable;
  session_tokens: SessionTokensTable;
  outbox: OutboxTable;
  limit_windows: LimitWindowsTable;
  sealed_keys: SealedKeysTable;
}

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>;
