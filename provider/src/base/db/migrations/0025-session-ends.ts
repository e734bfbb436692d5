/**
 * Where a user gave an app its access: the session, and the login methods that it stood on. What was given before this migration has
 * none, and ends with its session alone.
 */
export const SESSION_ENDS: readonly string[] = [
  `alter table oauth_token_families add column factor_ids jsonb not null default '[]'`,
  // By scope.
  `alter table oauth_grants add column given_in jsonb not null default '{}'`,
];
