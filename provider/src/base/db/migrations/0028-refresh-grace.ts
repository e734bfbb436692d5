/**
 * When a refresh token was used: within some seconds of it the same client gets the same answer again. Tokens that an earlier version used
 * have no time, and no grace. Apps made at run time before PKCE was required of all do without it until they are changed.
 */
export const REFRESH_GRACE: readonly string[] = [
  `alter table oauth_refresh_tokens add column used_at timestamptz`,
  `alter table connected_apps add column pkce_required boolean not null default false`,
];
