/** From which network a failed connection came, as a keyed hash: a stranger cannot drive out those of others. */
export const FAILURE_NETWORKS: readonly string[] = [`alter table connection_failures add column network_key text`];
