/** Connected apps, agents and clients, and the access that users gave them. */
export const APPS: readonly string[] = [
  // Ids are ASCII and compared by bytes, so that pages of a search have the same order in the database and in this server.
  `create table m2m_clients (
     client_id text collate "C" primary key,
     client_name text not null,
     client_description text not null,
     status text not null check (status in ('active', 'inactive')),
     scopes jsonb not null,
     trusted_metadata jsonb not null,
     secret_hash text,
     secret_last_four text,
     next_secret_hash text,
     next_secret_last_four text,
     created_at timestamptz not null)`,
  // Apps created at run time.
  `create table connected_apps (
     client_id text collate "C" primary key,
     client_type text not null
       check (client_type in ('first_party', 'first_party_public', 'third_party', 'third_party_public')),
     client_name text not null,
     client_description text not null,
     logo_url text,
     redirect_urls jsonb not null,
     post_logout_redirect_urls jsonb not null,
     full_access_allowed boolean not null,
     bypass_consent_for_offline_access boolean not null,
     access_token_expiry_minutes integer not null,
     access_token_custom_audience text,
     access_token_template_content text not null,
     id_token_template_content text not null,
     secret_hash text,
     secret_last_four text,
     next_secret_hash text,
     next_secret_last_four text,
     created_at timestamptz not null,
     pkce_required boolean not null default false,
     device_authorization_allowed boolean not null default false,
     backchannel_logout_uri text,
     backchannel_logout_session_required boolean not null default false)`,
  // Agents: apps that no operator registered. Their ids are URLs of metadata documents, or were made when they registered themselves.
  `create table agents (
     client_id text primary key,
     origin text not null check (origin in ('document', 'registration')),
     metadata jsonb not null,
     secret_hash text,
     registration_token_hash text,
     approval text check (approval in ('approved', 'refused')),
     created_at timestamptz not null,
     changed_at timestamptz not null,
     read_at timestamptz not null,
     fresh_until timestamptz not null,
     expires_at timestamptz not null,
     -- From which network an agent came, as a keyed hash: a full table makes room in the most crowded one.
     network_key text)`,
  `create index agents_created on agents (origin, created_at)`,
  `create index agents_expiry on agents (expires_at)`,
  // The public keys that clients publish at a URL, as last read.
  `create table client_key_sets (
     client_id text primary key,
     jwks_uri text not null,
     keys jsonb not null,
     fresh_until timestamptz not null,
     expires_at timestamptz not null)`,
  `create index client_key_sets_expiry on client_key_sets (expires_at)`,
  // Client secrets that were rotated.
  `create table oauth_client_secrets (
     secret_hash text primary key,
     client_id text not null,
     created_at timestamptz not null)`,
  `create index oauth_client_secrets_client on oauth_client_secrets (client_id)`,
  // Authorization requests that clients pushed (RFC 9126). Each is valid for one visit of a browser.
  `create table pushed_requests (
     request_hash text primary key,
     client_id text not null,
     parameters text not null,
     expires_at timestamptz not null)`,
  `create index pushed_requests_expiry on pushed_requests (expires_at)`,
  `create table oauth_grants (
     grant_id text primary key,
     user_id text not null references users on delete cascade,
     client_id text not null,
     scopes jsonb not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     -- Null for an app of the project file. The grants of a deleted app or agent, and all that was made from them, end with it.
     app_id text collate "C" references connected_apps on delete cascade,
     added_in text,
     -- The session in which the user gave each scope.
     given_in jsonb not null default '{}',
     -- The APIs for which the user let the app have tokens (RFC 8707), with the session in which each was granted.
     audiences jsonb not null default '{}',
     agent_id text references agents on delete cascade,
     unique (user_id, client_id))`,
  `create index oauth_grants_agent on oauth_grants (agent_id) where agent_id is not null`,
  `create index oauth_grants_app on oauth_grants (app_id)`,
  `create table oauth_token_families (
     family_id text primary key,
     grant_id text not null references oauth_grants on delete cascade,
     scopes jsonb not null,
     created_at timestamptz not null,
     -- The values that a refreshed ID token repeats (OpenID Connect Core, section 12.2).
     session_id text,
     auth_time timestamptz,
     -- The login methods of the session in which the user gave the app its access.
     factor_ids jsonb not null default '[]',
     -- The thumbprint of the key to which the refresh tokens of a public client are bound (RFC 9449).
     dpop_jkt text,
     factors jsonb,
     audiences jsonb not null default '[]')`,
  `create index oauth_token_families_age on oauth_token_families (created_at)`,
  `create index oauth_token_families_grant on oauth_token_families (grant_id)`,
  `create table oauth_access_tokens (
     token_id text primary key,
     family_id text not null references oauth_token_families on delete cascade,
     scopes jsonb not null,
     expires_at timestamptz not null)`,
  `create index oauth_access_tokens_expiry on oauth_access_tokens (expires_at)`,
  `create index oauth_access_tokens_family on oauth_access_tokens (family_id)`,
  `create table oauth_refresh_tokens (
     token_hash text primary key,
     family_id text not null references oauth_token_families on delete cascade,
     used boolean not null,
     created_at timestamptz not null,
     expires_at timestamptz not null,
     -- For some seconds after it the same client gets the same reply again.
     used_at timestamptz)`,
  `create index oauth_refresh_tokens_family on oauth_refresh_tokens (family_id)`,
  // Requests of apps that this server refused, so that developers can find the reason. If the same failure occurs again, its row counts it.
  `create table connection_failures (
     failure_id text primary key,
     -- The id of a client that exists, by which its rows are bounded, or empty.
     owner text not null,
     client_id text not null,
     step text not null,
     rule text not null,
     error text not null,
     message text not null,
     sent jsonb not null,
     expected jsonb not null,
     times integer not null default 1,
     created_at timestamptz not null,
     last_at timestamptz not null,
     expires_at timestamptz not null,
     -- From which network it came, as a keyed hash: a stranger cannot drive out those of others.
     network_key text)`,
  `create index connection_failures_expiry on connection_failures (expires_at)`,
  `create index connection_failures_last on connection_failures (last_at, failure_id)`,
  `create index connection_failures_owner on connection_failures (owner, last_at)`,
];
