/** Used tokens of trusted issuers: each creates one session. */
export const TRUSTED_TOKENS: readonly string[] = [
  `create table used_trusted_tokens (
     token_key text primary key,
     expires_at timestamptz not null)`,
  `create index used_trusted_tokens_expiry on used_trusted_tokens (expires_at)`,
];
