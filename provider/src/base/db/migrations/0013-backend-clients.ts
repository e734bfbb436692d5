/** M2M clients, connected apps made at run time, and social logins that are attached to a known user. */
export const BACKEND_CLIENTS: readonly string[] = [
  // Ids are ASCII and compared by bytes, so that a page of a search continues at the same place in this server's own order.
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
     created_at timestamptz not null)`,
  // Null for an app of the project file. The grants of a deleted app, and all that was made from them, end with it.
  `alter table oauth_grants add column app_id text collate "C" references connected_apps on delete cascade`,
  `create index oauth_grants_app on oauth_grants (app_id)`,
  // An app's own server may vouch for its user without a session; the time of the login is then unknown.
  `alter table authorization_codes alter column session_id drop not null`,
  `alter table authorization_codes alter column auth_time drop not null`,
  `create table oauth_attach_tokens (
     token_hash text primary key,
     user_id text not null references users on delete cascade,
     provider_type text not null,
     expires_at timestamptz not null)`,
  `create index oauth_attach_tokens_user on oauth_attach_tokens (user_id)`,
  `create index oauth_attach_tokens_expiry on oauth_attach_tokens (expires_at)`,
  // The user to whom the account is attached; null for a login.
  `alter table oauth_flows add column user_id text references users on delete cascade`,
  `create index oauth_flows_user on oauth_flows (user_id)`,
];
