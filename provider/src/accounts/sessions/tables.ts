import type { Generated, Selectable } from 'kysely';
import type { AuthenticationFactor, Session } from '../../../../src/domain/sessions/session.ts';
import type { GeneratedJsonColumn, JsonColumn } from '../../base/db/columns.ts';

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
}

/** A session as it is read. */
export type SessionRow = Selectable<SessionsTable>;

export interface SessionTokensTable {
  token_hash: string;
  session_id: string;
  /** Must equal the session's generation, or the token is invalid. */
  generation: Generated<number>;
}

export interface SessionTables {
  sessions: SessionsTable;
  session_tokens: SessionTokensTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends SessionTables {}
}
