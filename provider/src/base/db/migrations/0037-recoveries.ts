/** Recoveries that wait: somebody who lost every second factor asks for their removal. At most one of a user waits. */
export const RECOVERIES: readonly string[] = [
  `create table recoveries (
     recovery_id text primary key,
     user_id text not null references users on delete cascade,
     state text not null check (state in ('waiting', 'canceled', 'completed')),
     started_at timestamptz not null,
     available_at timestamptz not null,
     announced_at timestamptz,
     ended_at timestamptz,
     expires_at timestamptz not null)`,
  `create unique index recoveries_waiting on recoveries (user_id) where state = 'waiting'`,
  `create index recoveries_due on recoveries (available_at) where state = 'waiting' and announced_at is null`,
  `create index recoveries_user on recoveries (user_id)`,
  `create index recoveries_expiry on recoveries (expires_at)`,
];
