/** Columns with which a verification, a reset or a revocation finds everything that it ends. */
export const ACCOUNT_SAFETY: readonly string[] = [
  // Raised at every rotation of the session's token: a JWT of an older generation is rejected.
  `alter table sessions add column generation integer not null default 1`,
  // Tokens of an older generation are invalid.
  `alter table session_tokens add column generation integer not null default 1`,
  // The tokens of the app that the session was made from: it ends with them.
  `alter table sessions add column family_id text references oauth_token_families on delete cascade`,
  `create index sessions_family on sessions (family_id)`,
  // The user of the link, so that one statement ends all links of a user, including those that add an address.
  `alter table magic_links add column user_id text references users on delete cascade`,
  `update magic_links set user_id = coalesce(adds_to, (select user_id from emails where emails.email_id = magic_links.email_id))`,
  `delete from magic_links where user_id is null`,
  `create index magic_links_user on magic_links (user_id)`,
];
