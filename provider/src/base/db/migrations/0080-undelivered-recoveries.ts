/** The messages of a recovery's start that were not delivered yet, as a list of their ids; null once none is under way. */
export const UNDELIVERED_RECOVERIES: readonly string[] = [`alter table recoveries add column undelivered jsonb`];
