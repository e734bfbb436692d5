/** Sessions, and what ends with them, including the codes that they give to apps. */
export const SESSIONS: readonly string[] = [
  // Rows that are updated often get free space on their page. The new version is then written to the same page, and no index changes (a
  // heap-only tuple). These tables are vacuumed before a fifth of their rows has changed.
  `create table sessions (
     session_id text primary key,
     user_id text not null references users on delete cascade,
     started_at timestamptz not null,
     last_accessed_at timestamptz not null,
     expires_at timestamptz not null,
     attributes jsonb not null,
     authentication_factors jsonb not null,
     -- Raised at every rotation of the session's token: a JWT of an older generation is rejected.
     generation integer not null default 1,
     -- The tokens of the app that the session was made from: it ends with them.
     family_id text references oauth_token_families on delete cascade,
     custom_claims jsonb not null default '{}',
     -- The public key of the browser to which the session is bound (RFC 7517). Null for a session that its cookies alone present.
     bound_key jsonb,
     -- The key that a browser has registered, until it has signed with it once: then the session is bound to it.
     trial_key jsonb,
     -- The thumbprint of the key (RFC 7638) with which a page proves each call of the session.
     proof_jkt text,
     -- The trusted browser in which the session is, so that the trust ends with a session that is ended from another browser.
     trusted_device_id text) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
  `create index sessions_expiry on sessions (expires_at)`,
  // Only for sessions made from an app's tokens, which are few.
  `create index sessions_of_families on sessions (family_id) where family_id is not null`,
  `create index sessions_user on sessions (user_id)`,
  `create table session_tokens (
     token_hash text primary key,
     session_id text not null references sessions on delete cascade,
     -- Tokens of an older generation are invalid.
     generation integer not null default 1)`,
  `create index session_tokens_session on session_tokens (session_id)`,
  // The apps that a session logged its user in to.
  `create table app_sessions (
     session_id text not null references sessions on delete cascade,
     client_id text not null,
     user_id text not null,
     issuer text not null,
     primary key (session_id, client_id))`,
  // Logins that lack the second factor.
  `create table intermediate_sessions (
     token_hash text primary key,
     user_id text not null references users on delete cascade,
     factors jsonb not null,
     minutes integer,
     custom_claims jsonb,
     session_id text references sessions on delete cascade,
     new_session_id text not null,
     code_challenge text,
     device_key text,
     by_server boolean not null,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     -- The network that began a login, so that a thief of the first factor cannot crowd the owner out.
     network text,
     -- The social accounts that the login adds once it is complete: sealed, as those that wait in a session.
     pending_accounts jsonb not null default '[]')`,
  `create index intermediate_sessions_end on intermediate_sessions (expires_at)`,
  `create index intermediate_sessions_session on intermediate_sessions (session_id)`,
  `create index intermediate_sessions_user on intermediate_sessions (user_id)`,
  // The browsers that need no second factor.
  `create table trusted_devices (
     device_id text primary key,
     user_id text not null references users on delete cascade,
     token_hash text not null unique,
     user_agent text not null,
     ip_address text not null,
     created_at timestamptz not null,
     last_used_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index trusted_devices_end on trusted_devices (expires_at)`,
  `create index trusted_devices_user on trusted_devices (user_id)`,
  // The networks from which each user logs in: strangers cannot lock owners out.
  `create table known_networks (
     user_id text not null references users on delete cascade,
     network text not null,
     last_login_at timestamptz not null,
     second_factor_at timestamptz,
     primary key (user_id, network))`,
  `create index known_networks_last_login on known_networks (last_login_at)`,
  `create table impersonation_tokens (
     token_hash text primary key,
     user_id text not null references users on delete cascade,
     impersonator_id text not null,
     impersonator_email_address text not null,
     expires_at timestamptz not null)`,
  `create index impersonation_tokens_expiry on impersonation_tokens (expires_at)`,
  `create index impersonation_tokens_user_id on impersonation_tokens (user_id)`,
  // Used tokens of trusted issuers: each creates only one session.
  `create table used_trusted_tokens (token_key text primary key, expires_at timestamptz not null)`,
  `create index used_trusted_tokens_expiry on used_trusted_tokens (expires_at)`,
  // Accounts that are linked by their address to a user with an authenticator app, until the session proves the second factor.
  `create table pending_oauth_registrations (
     session_id text not null references sessions on delete cascade,
     provider_type text not null,
     oauth_user_registration_id text not null,
     identity text not null,
     primary key (session_id, provider_type))`,
  `create table authorization_codes (
     code_hash text primary key,
     grant_id text not null references oauth_grants on delete cascade,
     -- An app's own server may vouch for its user without a session; the time of the login is then unknown.
     session_id text references sessions on delete cascade,
     redirect_uri text not null,
     code_challenge text,
     nonce text,
     scopes jsonb not null,
     auth_time timestamptz,
     expires_at timestamptz not null,
     family_id text,
     -- The thumbprint of the key to which the code is bound (RFC 9449).
     dpop_jkt text,
     -- The APIs that the tokens are for (RFC 8707).
     audiences jsonb not null default '[]',
     -- What the session had proved when it gave the code.
     factors jsonb)`,
  `create index authorization_codes_expiry on authorization_codes (expires_at)`,
  `create index authorization_codes_grant on authorization_codes (grant_id)`,
  `create index authorization_codes_session on authorization_codes (session_id)`,
  // Devices that wait for a user's decision (RFC 8628). A positive decision is an authorization code, which ends with the user's session
  // and grant, and the row with it.
  `create table device_authorizations (
     device_hash text primary key,
     user_code_hash text not null unique,
     client_id text not null,
     scopes jsonb not null,
     audiences jsonb not null,
     sealed_origin text not null,
     dpop_jkt text,
     interval_seconds integer not null,
     polled_at timestamptz,
     denied boolean not null default false,
     code_hash text references authorization_codes on delete cascade,
     expires_at timestamptz not null)`,
  `create index device_authorizations_code on device_authorizations (code_hash)`,
  `create index device_authorizations_expiry on device_authorizations (expires_at)`,
];
