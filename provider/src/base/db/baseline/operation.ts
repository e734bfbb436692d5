/** Operators, the backend API, and what the servers of a project share. */
export const OPERATION: readonly string[] = [
  // The people at the operators' page, who are not users: their passkeys, invitations and sessions.
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
  `create index operator_invites_expiry on operator_invites (expires_at)`,
  `create index operator_invites_operator on operator_invites (operator_id)`,
  `create table operator_challenges (
     challenge_hash text primary key,
     operator_id text references operators on delete cascade,
     expires_at timestamptz not null)`,
  `create index operator_challenges_expiry on operator_challenges (expires_at)`,
  `create index operator_challenges_operator on operator_challenges (operator_id)`,
  `create table operator_sessions (
     token_hash text primary key,
     operator_id text not null references operators on delete cascade,
     last_used_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index operator_sessions_expiry on operator_sessions (expires_at)`,
  `create index operator_sessions_operator on operator_sessions (operator_id)`,
  // The secrets of the backend API, and the trail of its calls.
  `create table project_secrets (
     secret_id text primary key,
     name text not null,
     secret_hash text not null unique,
     created_at timestamptz not null,
     last_used_at timestamptz)`,
  `create table backend_calls (
     seq bigint generated always as identity primary key,
     request_id text not null,
     secret_id text not null,
     secret_name text not null,
     call text not null,
     changes boolean not null,
     target text,
     status integer,
     error_type text,
     created_at timestamptz not null)`,
  `create index backend_calls_age on backend_calls (created_at)`,
  `create index backend_calls_reading on backend_calls (created_at) where not changes`,
  `create index backend_calls_target on backend_calls (target)`,
  // A job that only one process at a time does. The row belongs to that process until held_until, by the clock of the database. A session
  // lock would not survive a pooler, and does not exist in other engines with PostgreSQL's protocol.
  `create table leases (
     name text primary key,
     holder text not null,
     held_until timestamptz not null)`,
  // Like those of sessions, its rows are updated often.
  `create table limit_windows (
     bucket text not null,
     window_start timestamptz not null,
     hits integer not null,
     expires_at timestamptz not null,
     primary key (bucket, window_start)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,
  `create index limit_windows_expiry on limit_windows (expires_at)`,
  // Unencrypted keys of a version before the baseline. The first start, which makes the sealed keys, drops the table, so that nobody can
  // insert other keys.
  `create table server_keys (name text primary key, value text not null)`,
  // Keys of this server, encrypted under a key that is not in the database.
  `create table sealed_keys (name text primary key, sealed text not null)`,
  // Keys that sign for other apps, and for sessions. A generation is made once: if several servers rotate simultaneously, one wins.
  `create table signing_keys (
     generation integer not null,
     kid text not null unique,
     public_key jsonb not null,
     sealed text,
     created_at timestamptz not null,
     active_at timestamptz not null,
     purpose text not null check (purpose in ('apps', 'sessions')),
     -- Authenticates the row under a key that is not in the database: a row that an attacker wrote is ignored.
     mac text,
     primary key (purpose, generation))`,
];
