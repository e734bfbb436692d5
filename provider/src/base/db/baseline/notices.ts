import { afterInserts, counted, METHODS } from './methods.ts';

/**
 * Does the work of `note_change` and `end_partial_trust` for all new rows of a statement at once. `any` of an array always uses the index.
 * A join of the new rows may be planned as a read of the whole table.
 */
function noteAdded(name: string, condition: string): string {
  const recipientsIn = (table: string): string =>
    `select user_id from ${table} where user_id = any (owners) and verified and xmin <> mine`;
  return `create function ${name}() returns trigger language plpgsql as $$
   declare
     owners text[] := array(select user_id from added where ${condition});
     mine xid := pg_current_xact_id()::xid;
   begin
     if owners = '{}' then return null; end if;
     perform end_pending(owners, case when tg_argv[0] = 'webauthn' then array(select added_in from added) else '{}' end);
     delete from trusted_devices where user_id = any (owners);
     owners := array(${recipientsIn('emails')} union ${recipientsIn('phone_numbers')});
     if owners = '{}' then return null; end if;
     insert into notices (user_id, event, factor_type, factor_id, details)
     select user_id, 'factor.added', tg_argv[0], row->>tg_argv[1], case tg_argv[0]
       when 'email' then jsonb_build_object('value', row->'email', 'created_at', row->'created_at')
       when 'phone_number' then jsonb_build_object('value', row->'phone_number', 'created_at', row->'created_at')
       when 'oauth' then jsonb_build_object('provider', row->'provider_type')
       else '{}'::jsonb end
     from (select user_id, to_jsonb(added) as row from added where user_id = any (owners) and ${condition}) as mine;
     return null;
   end $$`;
}

const methodTriggers = METHODS.flatMap((method) => {
  const { table, id, type, verified } = method;
  const note = (event: string): string => `execute function note_change('${event}', '${type}', '${id}')`;
  return [
    afterInserts(
      'notice_added',
      table,
      `${verified === true ? 'note_added_verified' : 'note_added'}('${type}', '${id}')`,
    ),
    ...(verified === true
      ? [
          `create trigger notice_proven after update of verified on ${table} for each row
             when (not old.verified and new.verified) ${note('factor.added')}`,
        ]
      : []),
    `create trigger notice_removed after delete on ${table} for each row when (${counted(method)}) ${note('factor.removed')}`,
  ];
});

/** The events of notices for which no earlier trigger writes a webhook event. */
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

const eventTriggers = NEW_EVENTS.flatMap((event) => {
  const name = event.replaceAll('.', '_');
  const when = `after insert on notices for each row when (new.event = '${event}')`;
  return [
    `create trigger webhook_${name} ${when} execute function tell_webhooks('${event}')`,
    `create trigger audit_${name} ${when} execute function log_notice()`,
  ];
});

/**
 * Notices to the owner of an account. As with webhooks, triggers write the rows in the transaction of the change, for every statement: also
 * for a cascade, the app's own server, or code of an older version.
 *
 * A change is written only if somebody can be notified: a user with a verified address or number whose row is older than the transaction,
 * or one who loses such a contact. So sign-ups and imports write nothing.
 */
export const NOTICES: readonly string[] = [
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
  noteAdded('note_added', 'true'),
  noteAdded('note_added_verified', 'verified'),
  ...methodTriggers,
  // The same password with a stronger hash is not a change.
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
  ...eventTriggers,
  // The call writes the audit log.
  `create trigger webhook_recovery_codes_renewed after insert on notices for each row
     when (new.event = 'recovery_codes.renewed') execute function tell_webhooks('recovery_codes.renewed')`,
];
