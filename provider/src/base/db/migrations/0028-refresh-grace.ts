/**
 * The time at which a refresh token was used: for some seconds after it the same client gets the same reply again. Tokens that an
 * earlier version used have no time, and no grace. Apps made at run time before PKCE became mandatory need none until they are changed.
 */
export const REFRESH_GRACE: readonly string[] = [
  `alter table oauth_refresh_tokens add column used_at timestamptz`,
  `alter table connected_apps add column pkce_required boolean not null default false`,
];
