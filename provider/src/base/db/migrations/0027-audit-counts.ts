/**
 * The number of times something was refused, or repeated, in an hour. Beyond a budget the audit log has one row with the number of
 * the further times, which is written when the hour is over.
 */
export const AUDIT_COUNTS: readonly string[] = [
  `create table audit_counts (
     bucket text not null,
     window_start timestamptz not null,
     window_end timestamptz not null,
     event text not null,
     outcome text not null,
     user_id text,
     network text,
     error_type text,
     budget integer not null,
     hits integer not null,
     primary key (bucket, window_start))`,
  `create index audit_counts_end on audit_counts (window_end)`,
];
