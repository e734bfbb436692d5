/** Authorization requests that clients pushed (RFC 9126). Each is valid for one visit of a browser. */
export const PUSHED_REQUESTS: readonly string[] = [
  `create table pushed_requests (
     request_hash text primary key,
     client_id text not null,
     parameters text not null,
     expires_at timestamptz not null)`,
  `create index pushed_requests_expiry on pushed_requests (expires_at)`,
];
