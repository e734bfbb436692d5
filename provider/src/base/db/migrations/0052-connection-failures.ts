/**
 * Requests of apps that this server refused, for the developer who looks for the reason. The same failure again is counted in its row.
 * `owner` is the id of a client that exists, by which its rows are bounded, or empty.
 */
export const CONNECTION_FAILURES: readonly string[] = [
  `create table connection_failures (
     failure_id text primary key,
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
     expires_at timestamptz not null)`,
  `create index connection_failures_expiry on connection_failures (expires_at)`,
  `create index connection_failures_last on connection_failures (last_at, failure_id)`,
  `create index connection_failures_owner on connection_failures (owner, last_at)`,
];
