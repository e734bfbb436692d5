/**
 * The APIs that codes and tokens are for (RFC 8707), and for which a user let an app have tokens, with the session in which each was
 * granted. Older rows are for the project's own API.
 */
export const AUDIENCES: readonly string[] = [
  `alter table oauth_grants add column audiences jsonb not null default '{}'`,
  `alter table authorization_codes add column audiences jsonb not null default '[]'`,
  `alter table oauth_token_families add column audiences jsonb not null default '[]'`,
];
