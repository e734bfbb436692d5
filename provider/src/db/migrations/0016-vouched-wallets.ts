/** A wallet that a signed-in user adds needs their session to the end, unless the app's own server vouched for the user. */
export const VOUCHED_WALLETS: readonly string[] = [
  `alter table wallet_challenges add column needs_session boolean not null default true`,
];
