/** What lets a proof, a reset or a revocation end everything that it should. */
export const ACCOUNT_SAFETY: readonly string[] = [
  // Raised at every rotation of the session's token: a JWT of an older generation is refused.
  `alter table sessions add column generation integer not null default 1`,
  // Whatever is left of an older generation is no token.
  `alter table session_tokens add column generation integer not null default 1`,
  // The tokens of the app that the session was made from: it ends with them.
  `alter table sessions add column family_id text references oauth_token_families on delete cascade`,
  `create index sessions_family on sessions (family_id)`,
  // Whose link it is, so that one statement ends all links of a user, those that add an address included.
  `alter table magic_links add column user_id text references users on delete cascade`,
  `update magic_links set user_id = coalesce(adds_to, (select user_id from emails where emails.email_id = magic_links.email_id))`,
  `delete from magic_links where user_id is null`,
  `create index magic_links_user on magic_links (user_id)`,
];
