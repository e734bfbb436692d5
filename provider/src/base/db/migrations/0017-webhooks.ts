/** A table whose rows let a user log in, and the condition under which a row counts. */
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
  const tell = (event: string): string => `execute function tell_webhooks('${event}', 'factor_id', '${id}', '${type}')`;
  return [
    `create trigger webhook_added after insert on ${table} for each row when (${counts('new')}) ${tell('factor.added')}`,
    ...(proven === undefined
      ? []
      : [
          `create trigger webhook_proven after update of verified on ${table} for each row when (${proven}) ${tell('factor.added')}`,
        ]),
    `create trigger webhook_removed after delete on ${table} for each row when (${counts('old')}) ${tell('factor.removed')}`,
  ];
}

/** True for a user whom the app knows: a user who has logged in, or whom the app's own server made. */
const known = (row: 'old' | 'new'): string => `(${row}.status = 'active' or ${row}.managed)`;
const DESCRIPTION = ['name', 'trusted_metadata', 'untrusted_metadata', 'external_id', 'given_roles'];
const described = (row: 'old' | 'new'): string => `(${DESCRIPTION.map((column) => `${row}.${column}`).join(', ')})`;

/**
 * Triggers write the events for webhooks, so that an event is in the transaction of its change, for every statement: also
 * a cascade, an import, or code of an older version. A trigger that has a condition is not called while the condition is false;
 * without a webhook it reads an empty table.
 *
 * Rows that are deleted with their user have no events. An event has ids, and no address, name or secret.
 */
export const WEBHOOKS: readonly string[] = [
  `create table webhook_endpoints (url text primary key, events jsonb)`,
  `create index outbox_due_webhooks on outbox (recipient, next_at, seq) where state = 'waiting' and channel = 'webhook'`,
  `create function tell_webhooks() returns trigger language plpgsql as $$
   declare
     event text := tg_argv[0];
     gone boolean := tg_op = 'DELETE';
     row jsonb;
     body jsonb;
   begin
     if not exists (select from webhook_endpoints where events is null or events ? event) then return null; end if;
     row := case when gone then to_jsonb(old) else to_jsonb(new) end;
     if gone and event <> 'user.deleted' and not exists (select from users where user_id = row->>'user_id') then
       return null;
     end if;
     body := jsonb_build_object('user_id', row->'user_id');
     if tg_nargs > 1 then body := body || jsonb_build_object(tg_argv[1], row->tg_argv[2]); end if;
     if tg_nargs > 3 then body := body || jsonb_build_object('factor_type', tg_argv[3]); end if;
     if event = 'session.created' then
       body := body || jsonb_build_object('method', row->'authentication_factors'->0->'type');
     end if;
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at)
       select 'message-test-' || gen_random_uuid(), 'webhook', 'webhook', url, '',
         json_build_object('type', event,
           'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'data', body)::text,
         clock_timestamp(), clock_timestamp() + interval '3 days'
       from webhook_endpoints where events is null or events ? event;
     return null;
   end $$`,
  `create trigger webhook_created after insert on users for each row when (${known('new')})
     execute function tell_webhooks('user.created')`,
  `create trigger webhook_known after update of status, managed on users for each row
     when (not ${known('old')} and ${known('new')}) execute function tell_webhooks('user.created')`,
  `create trigger webhook_updated after update of ${DESCRIPTION.join(', ')} on users for each row
     when (${known('old')} and ${described('old')} is distinct from ${described('new')})
     execute function tell_webhooks('user.updated')`,
  `create trigger webhook_deleted after delete on users for each row when (${known('old')})
     execute function tell_webhooks('user.deleted')`,
  `create trigger webhook_created after insert on sessions for each row
     execute function tell_webhooks('session.created', 'session_id', 'session_id')`,
  `create trigger webhook_revoked after delete on sessions for each row when (old.expires_at > clock_timestamp())
     execute function tell_webhooks('session.revoked', 'session_id', 'session_id')`,
  // A new password also ends the requirement to reset it; the same password with a stronger hash does not.
  `create trigger webhook_changed after update of requires_reset on passwords for each row
     when (old.hash is distinct from new.hash) execute function tell_webhooks('password.changed')`,
  ...FACTORS.flatMap(factorTriggers),
];
