/** Keys that sign for other apps, refresh tokens, and client secrets that were rotated. */
export const AUTHORIZATION_SERVER: readonly string[] = [
  // A generation is made once: if several servers rotate at the same moment, one wins.
  `create table signing_keys (
     generation integer primary key,
     kid text not null unique,
     public_key jsonb not null,
     sealed text,
     created_at timestamptz not null,
     active_at timestamptz not null)`,
  // The values that a refreshed ID token repeats (OpenID Connect Core, section 12.2).
  `alter table oauth_token_families add column session_id text`,
  `alter table oauth_token_families add column auth_time timestamptz`,
  `create table oauth_refresh_tokens (
     token_hash text primary key,
     family_id text not null references oauth_token_families on delete cascade,
     used boolean not null,
     created_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index oauth_refresh_tokens_family on oauth_refresh_tokens (family_id)`,
  `create table oauth_client_secrets (
     secret_hash text primary key,
     client_id text not null,
     created_at timestamptz not null)`,
  `create index oauth_client_secrets_client on oauth_client_secrets (client_id)`,
];
