/**
 * The columns of the delivery of messages. A row that is there already may have been delivered by the operator's own program, so it
 * counts as sent; its content stays until it expires. `next_at` begins in the past, so that a first delivery does not depend on clocks.
 */
export const DELIVERY: readonly string[] = [
  `alter table outbox
     add column user_id text references users on delete cascade,
     add column kind text not null default 'message',
     add column locale text not null default 'en',
     add column template_id text,
     add column values jsonb not null default '{}',
     add column state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead', 'expired')),
     add column attempts integer not null default 0,
     add column next_at timestamptz not null default to_timestamp(0),
     add column claimed_until timestamptz,
     add column claimed_by text,
     add column sent_at timestamptz,
     add column reference text,
     add column last_error text,
     add column delete_at timestamptz`,
  `update outbox set state = 'sent', delete_at = expires_at + interval '1 day'`,
  `create index outbox_user on outbox (user_id)`,
  `create index outbox_due on outbox (channel, next_at, seq) where state = 'waiting'`,
  `drop index outbox_expiry`,
  `create index outbox_content on outbox (expires_at) where text <> ''`,
  `create index outbox_deletion on outbox (delete_at) where delete_at is not null`,
];
