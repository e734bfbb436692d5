/**
 * The session in which a factor or grant was added: the first verification of an address keeps what the session of its sign-up
 * added, and nothing else. Null in rows of before, and for what was added without a session. The id of a session that has ended stays:
 * ids are never used again.
 *
 * `began_on_page` tells whether a page asked for the link, rather than the app's own server; null for a link of before.
 */
export const PROOF_OF_ADDRESS: readonly string[] = [
  `alter table emails add column added_in text`,
  `alter table phone_numbers add column added_in text`,
  `alter table passwords add column added_in text`,
  `alter table webauthn_registrations add column added_in text`,
  `alter table crypto_wallets add column added_in text`,
  `alter table oauth_registrations add column added_in text`,
  `alter table totps add column added_in text`,
  `alter table oauth_grants add column added_in text`,
  `alter table magic_links add column began_on_page boolean`,
];
