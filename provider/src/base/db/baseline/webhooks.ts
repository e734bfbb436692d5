import { afterInserts, counted, METHODS } from './methods.ts';

/** Does the work of `tell_webhooks` for all new rows of a statement at once. */
function tellAdded(name: string, condition: string): string {
  return `create function ${name}() returns trigger language plpgsql as $$
   declare
     event text := tg_argv[0];
   begin
     if not exists (select from webhook_endpoints where events is null or events ? event) then return null; end if;
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at)
       select 'message-test-' || gen_random_uuid(), 'webhook', 'webhook', url, '',
         json_build_object('type', event,
           'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'data', case when tg_nargs = 1 then jsonb_build_object('user_id', row->'user_id')
             else jsonb_build_object('user_id', row->'user_id', tg_argv[1], row->tg_argv[2], 'factor_type', tg_argv[3]) end)::text,
         clock_timestamp(), clock_timestamp() + interval '3 days'
       from (select to_jsonb(added) as row from added where ${condition}) as rows
         cross join webhook_endpoints where events is null or events ? event;
     return null;
   end $$`;
}

const methodTriggers = METHODS.flatMap((method) => {
  const { table, id, type, verified } = method;
  const tell = (event: string): string => `execute function tell_webhooks('${event}', 'factor_id', '${id}', '${type}')`;
  const added = verified === true ? 'tell_added_verified' : 'tell_added';
  return [
    afterInserts('webhook_added', table, `${added}('factor.added', 'factor_id', '${id}', '${type}')`),
    ...(verified === true
      ? [
          `create trigger webhook_proven after update of verified on ${table} for each row
             when (not old.verified and new.verified) ${tell('factor.added')}`,
        ]
      : []),
    `create trigger webhook_removed after delete on ${table} for each row when (${counted(method)}) ${tell('factor.removed')}`,
  ];
});

/** True for a user that the app knows: one who has logged in, or whom the app's own server created. */
const isKnown = (row: 'old' | 'new'): string => `(${row}.status = 'active' or ${row}.managed)`;
const DESCRIPTION = ['name', 'trusted_metadata', 'untrusted_metadata', 'external_id', 'given_roles'];
const descriptionOf = (row: 'old' | 'new'): string => `(${DESCRIPTION.map((column) => `${row}.${column}`).join(', ')})`;

/**
 * Triggers write the events for webhooks, so that an event is in the transaction of its change, for every statement: also for a cascade, an
 * import, or code of an older version. A trigger with a condition is not called while the condition is false. Without a webhook it reads an
 * empty table.
 *
 * Rows that are deleted with their user have no events. An event has ids, and no address, name or secret.
 */
export const WEBHOOKS: readonly string[] = [
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
  tellAdded('tell_added', 'true'),
  tellAdded('tell_added_verified', 'verified'),
  tellAdded('tell_added_known', `status = 'active' or managed`),
  afterInserts('webhook_created', 'users', `tell_added_known('user.created')`),
  `create trigger webhook_known after update of status, managed on users for each row
     when (not ${isKnown('old')} and ${isKnown('new')}) execute function tell_webhooks('user.created')`,
  `create trigger webhook_updated after update of ${DESCRIPTION.join(', ')} on users for each row
     when (${isKnown('old')} and ${descriptionOf('old')} is distinct from ${descriptionOf('new')})
     execute function tell_webhooks('user.updated')`,
  `create trigger webhook_deleted after delete on users for each row when (${isKnown('old')})
     execute function tell_webhooks('user.deleted')`,
  `create trigger webhook_created after insert on sessions for each row
     execute function tell_webhooks('session.created', 'session_id', 'session_id')`,
  `create trigger webhook_revoked after delete on sessions for each row when (old.expires_at > clock_timestamp())
     execute function tell_webhooks('session.revoked', 'session_id', 'session_id')`,
  // A new password also ends the requirement to reset it; the same password with a stronger hash does not.
  `create trigger webhook_changed after update of requires_reset on passwords for each row
     when (old.hash is distinct from new.hash) execute function tell_webhooks('password.changed')`,
  ...methodTriggers,
];

/**
 * The logout notice to an app when a session that logged its user in there ends (OpenID Connect Back-Channel Logout 1.0). A trigger writes
 * it in the transaction that ends the session, for every statement, also for a cascade. It has ids; the app's URL is read when it is sent.
 */
export const LOGOUTS: readonly string[] = [
  `create function tell_app_of_logout() returns trigger language plpgsql as $$
   begin
     insert into outbox (id, channel, kind, recipient, subject, text, at, expires_at) values (
       'message-test-' || gen_random_uuid(), 'logout', 'logout', old.client_id, '',
       json_build_object('sid', old.session_id, 'sub', old.user_id, 'iss', old.issuer)::text,
       clock_timestamp(), clock_timestamp() + interval '1 day');
     return null;
   end $$`,
  `create trigger app_session_ended after delete on app_sessions for each row execute function tell_app_of_logout()`,
];
