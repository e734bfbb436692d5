/**
 * Keys that only this server can open. The table `server_keys` of migration 0001, which held them in clear, stays until
 * the first start has sealed what is in it: dropping it is what ends the upgrade.
 */
export const KEYS: readonly string[] = [
  `create table sealed_keys (name text primary key, sealed text not null)`,
  // Sessions are signed by keys of their own, that are kept and replaced like those for other apps.
  `alter table signing_keys add column purpose text not null default 'apps' check (purpose in ('apps', 'sessions'))`,
  `alter table signing_keys alter column purpose drop default`,
  `alter table signing_keys drop constraint signing_keys_pkey`,
  `alter table signing_keys add primary key (purpose, generation)`,
  // Under a key that is not in the database: a row that somebody else wrote is no key of this server.
  `alter table signing_keys add column mac text`,
  // The proofs of a social login are derived from its state, which is not kept.
  `alter table oauth_flows drop column nonce`,
  `alter table oauth_flows drop column code_verifier`,
  // Tokens of social providers are sealed. Those in clear would have lived for five minutes.
  `delete from oauth_tokens`,
  `alter table oauth_tokens alter column provider_values type text using ''`,
];
