/** When what a message holds is worth nothing any more. Buckets of limits held addresses in clear until now. */
export const OUTBOX_EXPIRY: readonly string[] = [
  `alter table outbox add column expires_at timestamptz`,
  `update outbox set expires_at = at + interval '7 days'`,
  `alter table outbox alter column expires_at set not null`,
  `create index outbox_expiry on outbox (expires_at)`,
  `delete from limit_windows`,
];
