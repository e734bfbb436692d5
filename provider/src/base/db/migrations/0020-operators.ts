/** The people at the operators' page, who are not users: their passkeys, invitations and sessions. */
export const OPERATORS: readonly string[] = [
  `create table operators (
     operator_id text primary key,
     name text not null unique,
     role text not null check (role in ('admin', 'reader')),
     created_at timestamptz not null)`,
  `create table operator_passkeys (
     credential_id text primary key,
     operator_id text not null references operators on delete cascade,
     public_key text not null,
     sign_count bigint not null,
     backup_eligible boolean not null,
     user_handle text not null,
     created_at timestamptz not null)`,
  `create index operator_passkeys_operator on operator_passkeys (operator_id)`,
  `create table operator_invites (
     token_hash text primary key,
     operator_id text not null references operators on delete cascade,
     expires_at timestamptz not null)`,
  `create index operator_invites_operator on operator_invites (operator_id)`,
  `create index operator_invites_expiry on operator_invites (expires_at)`,
  `create table operator_challenges (
     challenge_hash text primary key,
     operator_id text references operators on delete cascade,
     expires_at timestamptz not null)`,
  `create index operator_challenges_operator on operator_challenges (operator_id)`,
  `create index operator_challenges_expiry on operator_challenges (expires_at)`,
  `create table operator_sessions (
     token_hash text primary key,
     operator_id text not null references operators on delete cascade,
     last_used_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index operator_sessions_operator on operator_sessions (operator_id)`,
  `create index operator_sessions_expiry on operator_sessions (expires_at)`,
];
