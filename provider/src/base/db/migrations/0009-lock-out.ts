/** Prevents strangers from locking owners out: a passcode for each send, and the networks from which each user logs in. */
export const LOCK_OUT: readonly string[] = [
  // Passcodes that are pending when this runs are lost: they were valid for ten minutes at most.
  `drop table passcodes`,
  `create table passcodes (
     passcode_id text primary key,
     user_id text not null references users on delete cascade,
     method_id text not null,
     network text not null,
     code_hash text not null,
     tries integer not null,
     channel text not null check (channel in ('email', 'sms', 'whatsapp')),
     adds_to text,
     address text,
     created_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index passcodes_user on passcodes (user_id)`,
  `create index passcodes_method on passcodes (method_id)`,
  `create index passcodes_expiry on passcodes (expires_at)`,
  `create table known_networks (
     user_id text not null references users on delete cascade,
     network text not null,
     last_login_at timestamptz not null,
     second_factor_at timestamptz,
     primary key (user_id, network))`,
  `create index known_networks_last_login on known_networks (last_login_at)`,
  `alter table wallet_challenges add column network text not null default ''`,
];
