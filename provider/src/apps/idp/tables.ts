import type { ColumnType, Generated } from 'kysely';
import type { GivenIn, Reach } from '#server-rules/provenance.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { PublicKeys } from '#provider/project/readers/public-keys.ts';
import type { GeneratedJsonColumn, JsonColumn, OptionalJsonColumn } from '#provider/base/db/statements/columns.ts';

/** Null unless it is given. */
type OptionalColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** The scopes that a user granted to a connected app. */
export interface OAuthGrantsTable {
  grant_id: string;
  user_id: string;
  client_id: string;
  /** The `client_id` of an app created at run time; null for one of the project file. The grant ends with its row. */
  app_id: string | null;
  /** The same for an agent. */
  agent_id: OptionalColumn<string>;
  scopes: JsonColumn<readonly string[]>;
  /** Where each scope was first granted. */
  given_in: GeneratedJsonColumn<GivenIn>;
  /** The APIs that the app gets tokens for, and where each was granted; empty in rows of older versions. */
  audiences: GeneratedJsonColumn<Reach>;
  created_at: Date;
  updated_at: Date;
  /** The session in which it was given; also null if another session extended it. */
  added_in: string | null;
}

/** All tokens of one authorization; they end together. */
export interface OAuthTokenFamiliesTable {
  family_id: string;
  grant_id: string;
  scopes: JsonColumn<readonly string[]>;
  /** Where and when the user logged in for it; null in rows of older versions. */
  session_id: string | null;
  auth_time: Date | null;
  /** The login methods that the session relied on. */
  factor_ids: GeneratedJsonColumn<readonly string[]>;
  /** The APIs of its tokens (`storedAudiences`). */
  audiences: GeneratedJsonColumn<readonly string[]>;
  created_at: Date;
  /** The factors that the session had proved, if the project has a policy for the second factor. */
  factors: OptionalJsonColumn<readonly AuthenticationFactor[]>;
  /** The key to which the refresh tokens of a public client are bound (RFC 9449). */
  dpop_jkt: OptionalColumn<string>;
}

/** The code ends with the session in which it was made. */
export interface AuthorizationCodesTable {
  code_hash: string;
  grant_id: string;
  /** Null, like `auth_time`, if the app's own server vouched for the user without a session. */
  session_id: string | null;
  redirect_uri: string;
  code_challenge: string | null;
  nonce: string | null;
  scopes: JsonColumn<readonly string[]>;
  /** The APIs that it can be exchanged for (`storedAudiences`). */
  audiences: GeneratedJsonColumn<readonly string[]>;
  auth_time: Date | null;
  expires_at: Date;
  /** The tokens issued for the code. A second use of the code ends them. */
  family_id: string | null;
  /** The key that must redeem the code, if the app named one (RFC 9449, section 10). */
  dpop_jkt: OptionalColumn<string>;
  /** The factors that the session had proved; null without a session, and in rows of older versions. */
  factors: OptionalJsonColumn<readonly AuthenticationFactor[]>;
}

export interface OAuthAccessTokensTable {
  token_id: string;
  family_id: string;
  scopes: JsonColumn<readonly string[]>;
  expires_at: Date;
}

export interface OAuthRefreshTokensTable {
  token_hash: string;
  family_id: string;
  /** Whether it was used. A used token that is presented again after the grace period was stolen. */
  used: boolean;
  /** When it was used; null while it is unused, and in rows of older versions. */
  used_at: OptionalColumn<Date>;
  created_at: Date;
  expires_at: Date;
}

/** Valid in addition to the secret in the project file, or instead of it. */
export interface OAuthClientSecretsTable {
  secret_hash: string;
  client_id: string;
  created_at: Date;
}

/** The row is deleted when a browser first visits it. */
export interface PushedRequestsTable {
  request_hash: string;
  client_id: string;
  /** In the form of a visit's query. */
  parameters: string;
  expires_at: Date;
}

/** The row ends with the authorization code that the user's decision made. */
export interface DeviceAuthorizationsTable {
  device_hash: string;
  /** A keyed hash, because user codes are short. */
  user_code_hash: string;
  client_id: string;
  scopes: JsonColumn<readonly string[]>;
  /** The APIs of its tokens (RFC 8707). */
  audiences: JsonColumn<readonly string[]>;
  /** The device's network address and user agent, encrypted (`seal`). */
  sealed_origin: string;
  /** The key that the device proved in its first request (RFC 9449). */
  dpop_jkt: OptionalColumn<string>;
  /** The minimum time between two polls. Each poll that comes too soon adds five seconds (RFC 8628, section 3.5). */
  interval_seconds: number;
  polled_at: OptionalColumn<Date>;
  denied: ColumnType<boolean, boolean | undefined, boolean>;
  /** The authorization code that the user's decision made; null until then. */
  code_hash: OptionalColumn<string>;
  expires_at: Date;
}

/** An app that a session logged its user in to. When the row ends with the session, a trigger notifies the app. */
export interface AppSessionsTable {
  session_id: string;
  client_id: string;
  user_id: string;
  /** The issuer of the ID token. */
  issuer: string;
}

/** A request of an app that this server refused, without its secrets. */
export interface ConnectionFailuresTable {
  /** Keyed hash of the other columns up to `expected`. If the same failure occurs again, it is only counted. */
  failure_id: string;
  /** The id of an app, or of an agent that an operator approved; empty for all others. */
  owner: string;
  /** Keyed hash of the network that first sent it; null in rows of earlier versions. */
  network_key: string | null;
  /** As claimed by the request; empty for none. */
  client_id: string;
  step: string;
  /** A name of `failure-rules.ts`. */
  rule: string;
  /** The error code on the wire. */
  error: string;
  message: string;
  /** Names and values of parameters. */
  sent: JsonColumn<readonly (readonly [name: string, value: string])[]>;
  expected: JsonColumn<readonly string[]>;
  times: Generated<number>;
  created_at: Date;
  last_at: Date;
  expires_at: Date;
}

/** The public keys of a client that publishes them at a URL. */
export interface ClientKeySetsTable {
  client_id: string;
  /** The URL that they were read from. */
  jwks_uri: string;
  keys: JsonColumn<PublicKeys>;
  /** When they must be read again. */
  fresh_until: Date;
  /** How long they remain valid while the URL cannot be read. */
  expires_at: Date;
}

export interface IdpTables {
  oauth_grants: OAuthGrantsTable;
  oauth_token_families: OAuthTokenFamiliesTable;
  authorization_codes: AuthorizationCodesTable;
  oauth_access_tokens: OAuthAccessTokensTable;
  oauth_refresh_tokens: OAuthRefreshTokensTable;
  oauth_client_secrets: OAuthClientSecretsTable;
  pushed_requests: PushedRequestsTable;
  device_authorizations: DeviceAuthorizationsTable;
  app_sessions: AppSessionsTable;
  connection_failures: ConnectionFailuresTable;
  client_key_sets: ClientKeySetsTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends IdpTables {}
}
