/**
 * A wallet or social account that a signed-in user adds needs their session to the end, unless the app's own server vouched for the
 * user.
 */
export const VOUCHED_FACTORS: readonly string[] = [
  `alter table wallet_challenges add column needs_session boolean not null default true`,
  `alter table oauth_attach_tokens add column session_id text`,
  `alter table oauth_flows add column session_id text`,
];
