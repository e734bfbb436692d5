/** A social login ends in the browser in which it began, and keeps the refresh token of its provider. */
export const SOCIAL_LOGINS: readonly string[] = [
  `alter table oauth_flows add column browser_hash text`,
  `alter table oauth_registrations add column refresh_token text`,
];
