/** A table of login methods, and the changes of its rows that change how a user can log in. */
interface MethodTable {
  readonly table: string;
  /** The condition on an added or removed row. */
  readonly counts: (row: 'old' | 'new') => string;
  /** The update that counts, by its column and condition. */
  readonly changed?: readonly [column: string, condition: string];
}

const verified = (row: 'old' | 'new'): string => `${row}.verified`;
const always = (): string => 'true';
const proven = ['verified', 'old.verified is distinct from new.verified'] as const;

const METHODS: readonly MethodTable[] = [
  { table: 'emails', counts: verified, changed: proven },
  { table: 'phone_numbers', counts: verified, changed: proven },
  { table: 'totps', counts: verified, changed: proven },
  // A new password also ends the requirement to reset it; the same password with a stronger hash does not.
  { table: 'passwords', counts: always, changed: ['requires_reset', 'old.hash is distinct from new.hash'] },
  { table: 'webauthn_registrations', counts: always },
  { table: 'crypto_wallets', counts: always },
  { table: 'oauth_registrations', counts: always },
];

function triggers({ table, counts, changed }: MethodTable): readonly string[] {
  const end = 'execute function end_partial_trust()';
  return [
    `create trigger trust_added after insert on ${table} for each row when (${counts('new')}) ${end}`,
    ...(changed === undefined
      ? []
      : [
          `create trigger trust_changed after update of ${changed[0]} on ${table} for each row when (${changed[1]}) ${end}`,
        ]),
    `create trigger trust_removed after delete on ${table} for each row when (${counts('old')}) ${end}`,
  ];
}

/**
 * Logins that lack the second factor, and the browsers in which none is asked for. Triggers end both with every change of a login
 * method, whichever statement makes it.
 */
export const SECOND_FACTOR: readonly string[] = [
  `alter table users add column mfa_policy text check (mfa_policy in ('when_enrolled', 'required'))`,
  `alter table oauth_token_families add column factors jsonb`,
  `create table intermediate_sessions (
     token_hash text primary key,
     user_id text not null references users on delete cascade,
     factors jsonb not null,
     minutes integer,
     custom_claims jsonb,
     session_id text references sessions on delete cascade,
     new_session_id text not null,
     code_challenge text,
     device_key text,
     by_server boolean not null,
     created_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index intermediate_sessions_user on intermediate_sessions (user_id)`,
  `create index intermediate_sessions_session on intermediate_sessions (session_id)`,
  `create index intermediate_sessions_end on intermediate_sessions (expires_at)`,
  `create table trusted_devices (
     device_id text primary key,
     user_id text not null references users on delete cascade,
     token_hash text not null unique,
     user_agent text not null,
     ip_address text not null,
     created_at timestamptz not null,
     last_used_at timestamptz not null,
     expires_at timestamptz not null)`,
  `create index trusted_devices_user on trusted_devices (user_id)`,
  `create index trusted_devices_end on trusted_devices (expires_at)`,
  `create function end_partial_trust() returns trigger language plpgsql as $$
   declare
     owner text := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
   begin
     delete from intermediate_sessions where user_id = owner;
     delete from trusted_devices where user_id = owner;
     return null;
   end $$`,
  ...METHODS.flatMap(triggers),
];
