/** The expiry of a message's code or link. Also empties the limits, whose buckets contained unhashed addresses until now. */
export const OUTBOX_EXPIRY: readonly string[] = [
  `alter table outbox add column expires_at timestamptz`,
  `update outbox set expires_at = at + interval '7 days'`,
  `alter table outbox alter column expires_at set not null`,
  `create index outbox_expiry on outbox (expires_at)`,
  `delete from limit_windows`,
];
