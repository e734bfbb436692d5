/** The public keys that clients have at an address of theirs, as they were read last. */
export const CLIENT_KEY_SETS: readonly string[] = [
  `create table client_key_sets (
     client_id text primary key,
     jwks_uri text not null,
     keys jsonb not null,
     fresh_until timestamptz not null,
     expires_at timestamptz not null)`,
  `create index client_key_sets_expiry on client_key_sets (expires_at)`,
];
