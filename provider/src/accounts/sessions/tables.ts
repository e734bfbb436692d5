import type { JWK } from 'jose';
import type { Generated, Selectable } from 'kysely';
import type { AuthenticationFactor, Session } from '../../../../src/domain/sessions/session.ts';
import type { GeneratedJsonColumn, JsonColumn, OptionalJsonColumn } from '../../base/db/statements/columns.ts';
import type { PendingAccount } from '../social-accounts/tables.ts';

export interface SessionsTable {
  session_id: string;
  user_id: string;
  started_at: Date;
  last_accessed_at: Date;
  expires_at: Date;
  attributes: JsonColumn<Session['attributes']>;
  authentication_factors: JsonColumn<readonly AuthenticationFactor[]>;
  /** Counts the rotations of the session's token. */
  generation: Generated<number>;
  /** The token family of the app from whose token the session was made. */
  family_id: string | null;
  /** What the app's own server added to the session's JWTs. */
  custom_claims: GeneratedJsonColumn<Readonly<Record<string, unknown>>>;
  /** The public key of the browser to which the session is bound; null for a session that its cookies alone present. */
  bound_key: OptionalJsonColumn<JWK>;
  /** The key that its browser has registered but not yet used. Until then the session is as one without a key. */
  trial_key: OptionalJsonColumn<JWK>;
  /** The thumbprint of the key with which a page proves each call (RFC 9449); null for a session that its token alone presents. */
  proof_jkt: string | null;
  /** The trusted browser in which the session is; the trust may have ended since. */
  trusted_device_id: string | null;
}

/** A session as it is read. */
export type SessionRow = Selectable<SessionsTable>;

export interface SessionTokensTable {
  token_hash: string;
  session_id: string;
  /** Must equal the session's generation, or the token is invalid. */
  generation: Generated<number>;
}

/** A login that lacks the second factor: it ends with every change of a login method (a trigger), and with `session_id`. */
export interface IntermediateSessionsTable {
  token_hash: string;
  user_id: string;
  /** What was proved. */
  factors: JsonColumn<readonly AuthenticationFactor[]>;
  /** The duration and claims of the session, as the first step asked for them. */
  minutes: number | null;
  custom_claims: OptionalJsonColumn<Readonly<Record<string, unknown>>>;
  /** The session that goes on with the second factor; null where one begins. */
  session_id: string | null;
  /** The id of the session that begins otherwise. What the first step and an enrolment add belongs to it already. */
  new_session_id: string;
  /** The social accounts that are added to the user once the login is complete. */
  pending_accounts: GeneratedJsonColumn<readonly PendingAccount[]>;
  /** Binds it to the browser of the first step. */
  code_challenge: string | null;
  /** The device cookie of the first step; null where a challenge binds it, or the browser had none. */
  device_key: string | null;
  /** True where the app's own server began it: no page can go on with it. */
  by_server: boolean;
  /** The keyed hash of the network of the first step; null in old rows. */
  network: string | null;
  created_at: Date;
  expires_at: Date;
}

/** A browser in which no second factor is asked for. It ends with every change of a login method (a trigger). */
export interface TrustedDevicesTable {
  device_id: string;
  user_id: string;
  token_hash: string;
  user_agent: string;
  ip_address: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

export interface SessionTables {
  sessions: SessionsTable;
  session_tokens: SessionTokensTable;
  intermediate_sessions: IntermediateSessionsTable;
  trusted_devices: TrustedDevicesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends SessionTables {}
}
