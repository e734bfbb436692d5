/** From which network an agent came, as a keyed hash: a full table makes room in the most crowded one. */
export const AGENT_NETWORKS: readonly string[] = [`alter table agents add column network_key text`];
