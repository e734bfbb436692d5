/**
 * The session in which a user gave an app its access, and the login methods of that session. Older grants have no session
 * here, and end with their own session alone.
 */
export const SESSION_ENDS: readonly string[] = [
  `alter table oauth_token_families add column factor_ids jsonb not null default '[]'`,
  // By scope.
  `alter table oauth_grants add column given_in jsonb not null default '{}'`,
];
