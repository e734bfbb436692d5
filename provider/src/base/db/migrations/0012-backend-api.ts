/** The tables and columns of the backend API: its secrets, the trail of its calls, and its data about users and sessions. */
export const BACKEND_API: readonly string[] = [
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
  `alter table users add column external_id text unique`,
  // The app's own server made the user or gave them data: no one else may sign up in their place.
  `alter table users add column managed boolean not null default false`,
  // The app's own server wrote the name and metadata: they are kept when an address is verified for the first time.
  `alter table users add column vouched boolean not null default false`,
  // In addition to the roles of the project file, which are computed again at each login.
  `alter table users add column given_roles jsonb not null default '[]'`,
  `alter table sessions add column custom_claims jsonb not null default '{}'`,
  // A search lists users in this order.
  `create index users_age on users (created_at, user_id)`,
];
