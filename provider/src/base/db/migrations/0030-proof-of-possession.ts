/** The thumbprints of keys to which codes, and the refresh tokens of public clients, are bound (RFC 9449). Null for those that are not. */
export const PROOF_OF_POSSESSION: readonly string[] = [
  `alter table authorization_codes add column dpop_jkt text`,
  `alter table oauth_token_families add column dpop_jkt text`,
];
