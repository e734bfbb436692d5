/** A row of a table that says that its user can log in by it, and when the row counts. */
interface FactorTable {
  readonly table: string;
  readonly id: string;
  readonly type: string;
  /** The condition on a row, by the name of the record. */
  readonly counts?: (row: 'old' | 'new') => string;
  /** The update that makes a row count. */
  readonly proven?: string;
}

const verified = { counts: (row: string) => `${row}.verified`, proven: 'not old.verified and new.verified' };

const FACTORS: readonly FactorTable[] = [
  { table: 'emails', id: 'email_id', type: 'email', ...verified },
  { table: 'phone_numbers', id: 'phone_id', type: 'phone_number', ...verified },
  { table: 'totps', id: 'totp_id', type: 'totp', ...verified },
  { table: 'passwords', id: 'password_id', type: 'password' },
  { table: 'webauthn_registrations', id: 'webauthn_registration_id', type: 'webauthn' },
  { table: 'crypto_wallets', id: 'crypto_wallet_id', type: 'crypto_wallet' },
  { table: 'oauth_registrations', id: 'oauth_user_registration_id', type: 'oauth' },
];

function factorTriggers({ table, id, type, counts = () => 'true', proven }: FactorTable): readonly string[] {
  const note = (event: string): string => `execute function note_change('${event}', '${type}', '${id}')`;
  return [
    `create trigger notice_added after insert on ${table} for each row when (${counts('new')}) ${note('factor.added')}`,
    ...(proven === undefined
      ? []
      : [
          `create trigger notice_proven after update of verified on ${table} for each row when (${proven}) ${note('factor.added')}`,
        ]),
    `create trigger notice_removed after delete on ${table} for each row when (${counts('old')}) ${note('factor.removed')}`,
  ];
}

/** The events of notices for which no earlier trigger writes an event of webhooks. */
const NEW_EVENTS = [
  'device.added',
  'recovery_code.used',
  'app.connected',
  'recovery.started',
  'recovery.available',
  'recovery.canceled',
  'recovery.completed',
  'account.restored',
];

/**
 * What the owner of an account is told. As with webhooks, triggers write the rows in the transaction of the change, whichever statement
 * makes it: also a cascade, the app's own server, or code of an older version. The delivery of messages turns the rows into messages.
 *
 * A change is written only where somebody can be told: a user with a verified address or number whose row is older than the
 * transaction, or one who loses such a contact. So sign-ups and imports write nothing.
 */
export const NOTICES: readonly string[] = [
  `create table notices (
     notice_id bigint generated always as identity primary key,
     user_id text not null references users on delete cascade,
     event text not null,
     factor_type text,
     factor_id text,
     details jsonb not null default '{}',
     final boolean not null default false,
     due_at timestamptz,
     told_at timestamptz,
     expires_at timestamptz)`,
  `create index notices_untold on notices (user_id) where told_at is null`,
  `create index notices_user on notices (user_id, notice_id)`,
  `create index notices_expiry on notices (expires_at) where expires_at is not null`,
  `create table notice_links (
     token_hash text primary key,
     user_id text not null references users on delete cascade,
     purpose text not null,
     since bigint,
     recovery_id text,
     kind text not null,
     method_id text not null,
     locale text not null,
     used_at timestamptz,
     expires_at timestamptz not null)`,
  `create index notice_links_user on notice_links (user_id)`,
  `create index notice_links_expiry on notice_links (expires_at)`,
  `create function note_change() returns trigger language plpgsql as $$
   declare
     gone boolean := tg_op = 'DELETE';
     is_contact boolean := tg_argv[1] in ('email', 'phone_number');
     row jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
     mine xid := pg_current_xact_id()::xid;
   begin
     if gone and not exists (select from users where user_id = row->>'user_id') then return null; end if;
     if not (gone and is_contact)
       and not exists (select from emails where user_id = row->>'user_id' and verified
         and email_id <> row->>tg_argv[2] and xmin <> mine)
       and not exists (select from phone_numbers where user_id = row->>'user_id' and verified
         and phone_id <> row->>tg_argv[2] and xmin <> mine) then
       return null;
     end if;
     insert into notices (user_id, event, factor_type, factor_id, details)
     values (row->>'user_id', tg_argv[0], tg_argv[1], row->>tg_argv[2], case
       when tg_argv[1] = 'email' then jsonb_build_object('value', row->'email', 'created_at', row->'created_at')
       when tg_argv[1] = 'phone_number' then jsonb_build_object('value', row->'phone_number', 'created_at', row->'created_at')
       when tg_argv[1] = 'oauth' then jsonb_build_object('provider', row->'provider_type')
       when tg_argv[1] = 'app' then jsonb_build_object('client_id', row->'client_id')
       else '{}'::jsonb end);
     return null;
   end $$`,
  ...FACTORS.flatMap(factorTriggers),
  // The same password with a stronger hash is no change.
  `create trigger notice_changed after update of requires_reset on passwords for each row
     when (old.hash is distinct from new.hash) execute function note_change('password.changed', 'password', 'password_id')`,
  `create trigger notice_connected after insert on oauth_grants for each row
     execute function note_change('app.connected', 'app', 'grant_id')`,
  `create function log_notice() returns trigger language plpgsql as $$
   begin
     insert into audit_log (created_at, event, outcome, user_id, actor_kind, details)
     values (clock_timestamp(), replace(new.event, '.', '_'), 'ok', new.user_id, 'system',
       jsonb_strip_nulls(jsonb_build_object('factor_type', new.factor_type, 'id', new.factor_id)));
     return null;
   end $$`,
  ...NEW_EVENTS.flatMap((event) => {
    const name = event.replaceAll('.', '_');
    const when = `after insert on notices for each row when (new.event = '${event}')`;
    return [
      `create trigger webhook_${name} ${when} execute function tell_webhooks('${event}')`,
      `create trigger audit_${name} ${when} execute function log_notice()`,
    ];
  }),
];
