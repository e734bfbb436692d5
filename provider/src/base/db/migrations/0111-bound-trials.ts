/** The key that a browser has registered, until it has signed with it once: then the session is bound to it. */
export const BOUND_TRIALS: readonly string[] = [`alter table sessions add column trial_key jsonb`];
