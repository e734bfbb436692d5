/** Impersonation, connected apps, authorization codes. */
export const ACCESS: readonly string[] = [
  `create table impersonation_tokens (
     token_hash text primary key,
     user_id text not null references users on delete cascade,
     impersonator_id text not null,
     impersonator_email_address text not null,
     expires_at timestamptz not null)`,
  `create table oauth_grants (
     grant_id text primary key,
     user_id text not null references users on delete cascade,
     client_id text not null,
     scopes jsonb not null,
     created_at timestamptz not null,
     updated_at timestamptz not null,
     unique (user_id, client_id))`,
  `create table oauth_token_families (
     family_id text primary key,
     grant_id text not null references oauth_grants on delete cascade,
     scopes jsonb not null,
     created_at timestamptz not null)`,
  `create index oauth_token_families_grant on oauth_token_families (grant_id)`,
  `create table authorization_codes (
     code_hash text primary key,
     grant_id text not null references oauth_grants on delete cascade,
     session_id text not null references sessions on delete cascade,
     redirect_uri text not null,
     code_challenge text,
     nonce text,
     scopes jsonb not null,
     auth_time timestamptz not null,
     expires_at timestamptz not null,
     family_id text)`,
  `create index authorization_codes_grant on authorization_codes (grant_id)`,
  `create index authorization_codes_session on authorization_codes (session_id)`,
  `create table oauth_access_tokens (
     token_id text primary key,
     family_id text not null references oauth_token_families on delete cascade,
     scopes jsonb not null,
     expires_at timestamptz not null)`,
  `create index oauth_access_tokens_family on oauth_access_tokens (family_id)`,
];
