import type { JWK } from 'jose';
import type { Generated, Selectable } from 'kysely';
import type { AuthenticationFactor, Session } from '#domain/sessions/session.ts';
import type { GeneratedJsonColumn, JsonColumn, OptionalJsonColumn } from '#provider/base/db/statements/columns.ts';
import type { HookDecision } from '../hooks/decision.ts';
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
  /** The public key of the browser that the session is bound to; null if its cookies alone are enough. */
  bound_key: OptionalJsonColumn<JWK>;
  /** The key that the browser has registered but not yet used. Until it is used, the session counts as unbound. */
  trial_key: OptionalJsonColumn<JWK>;
  /** The thumbprint of the key with which a page proves each call (RFC 9449); null if the session's token alone is enough. */
  proof_jkt: string | null;
  /** The trusted browser of the session. The trust may have ended since. */
  trusted_device_id: string | null;
}

/** A session as read from the database. */
export type SessionRow = Selectable<SessionsTable>;

export interface SessionTokensTable {
  token_hash: string;
  session_id: string;
  /** The token is valid only if this equals the session's generation. */
  generation: Generated<number>;
}

/** A login that lacks the second factor. It ends with `session_id`, and with every change of a login method (a trigger). */
export interface IntermediateSessionsTable {
  token_hash: string;
  user_id: string;
  /** The factors proved so far. */
  factors: JsonColumn<readonly AuthenticationFactor[]>;
  /** The duration and claims of the session, as requested in the first step. */
  minutes: number | null;
  custom_claims: OptionalJsonColumn<Readonly<Record<string, unknown>>>;
  /** The session that continues with the second factor; null if a new one begins. */
  session_id: string | null;
  /** The id of the new session in that case. Whatever the first step or an enrolment adds already belongs to it. */
  new_session_id: string;
  /** The social accounts that are added to the user once the login is complete. */
  pending_accounts: GeneratedJsonColumn<readonly PendingAccount[]>;
  /** What the hook `login` decided, if it required the factor that the login lacks. */
  hook_decision: OptionalJsonColumn<HookDecision>;
  /** Binds the login to the browser of the first step. */
  code_challenge: string | null;
  /** The device cookie of the first step; null if a challenge binds the login, or the browser had no cookie. */
  device_key: string | null;
  /** True if the app's own server began the login: pages cannot continue it. */
  by_server: boolean;
  /** The keyed hash of the network of the first step; null in old rows. */
  network: string | null;
  created_at: Date;
  expires_at: Date;
}

/** A browser that needs no second factor. The trust ends with every change of a login method (a trigger). */
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
