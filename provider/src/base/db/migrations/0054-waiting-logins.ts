/** The network that began a login, so that a thief of the first factor cannot crowd the owner out. */
export const WAITING_LOGINS: readonly string[] = ['alter table intermediate_sessions add column network text'];
