/** What a hook decided about a login that lacks the factor which it required. */
export const HOOK_DECISIONS: readonly string[] = ['alter table intermediate_sessions add column hook_decision jsonb'];
