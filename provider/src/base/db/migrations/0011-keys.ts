/**
 * Encrypted keys. The table `server_keys` of migration 0001, which contains them unencrypted, stays until the first start
 * has encrypted its keys; dropping it completes the upgrade.
 */
export const KEYS: readonly string[] = [
  `create table sealed_keys (name text primary key, sealed text not null)`,
  // Session JWTs are signed by separate keys, which are stored and replaced like the keys for connected apps.
  `alter table signing_keys add column purpose text not null default 'apps' check (purpose in ('apps', 'sessions'))`,
  `alter table signing_keys alter column purpose drop default`,
  `alter table signing_keys drop constraint signing_keys_pkey`,
  `alter table signing_keys add primary key (purpose, generation)`,
  // Authenticates the row under a key that is not in the database: a row that an attacker wrote is ignored.
  `alter table signing_keys add column mac text`,
  // The proofs of a social login are derived from its state, which is not kept.
  `alter table oauth_flows drop column nonce`,
  `alter table oauth_flows drop column code_verifier`,
  // Tokens of social providers are encrypted from now on. Unencrypted ones were valid for five minutes at most.
  `delete from oauth_tokens`,
  `alter table oauth_tokens alter column provider_values type text using ''`,
];
