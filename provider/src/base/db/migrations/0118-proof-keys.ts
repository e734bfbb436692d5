/** The thumbprint of the key (RFC 7638) with which a page proves each call of the session. Null for a session that its token alone presents. */
export const PROOF_KEYS: readonly string[] = [`alter table sessions add column proof_jkt text`];
