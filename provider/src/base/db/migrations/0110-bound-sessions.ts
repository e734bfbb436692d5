/** The public key of the browser to which a session is bound (RFC 7517). Null for a session that its cookies alone present. */
export const BOUND_SESSIONS: readonly string[] = [`alter table sessions add column bound_key jsonb`];
