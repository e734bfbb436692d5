/**
 * The session in which a factor or grant was added: the first verification of an address keeps the additions of its sign-up's
 * session, and nothing else. Null in older rows, and for additions without a session. The id of an ended session stays:
 * ids are never used again.
 *
 * `began_on_page` is true if a page requested the link, and false if the app's own server did; null for older links.
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
