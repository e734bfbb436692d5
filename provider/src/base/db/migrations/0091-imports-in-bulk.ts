import type { StepwiseMigration } from '../migration.ts';

/** A table of login methods. */
interface MethodTable {
  readonly table: string;
  readonly id: string;
  readonly type: string;
  /** Whether only a verified row is a login method. */
  readonly verified?: true;
}

const METHODS: readonly MethodTable[] = [
  { table: 'emails', id: 'email_id', type: 'email', verified: true },
  { table: 'phone_numbers', id: 'phone_id', type: 'phone_number', verified: true },
  { table: 'totps', id: 'totp_id', type: 'totp', verified: true },
  { table: 'passwords', id: 'password_id', type: 'password' },
  { table: 'webauthn_registrations', id: 'webauthn_registration_id', type: 'webauthn' },
  { table: 'crypto_wallets', id: 'crypto_wallet_id', type: 'crypto_wallet' },
  { table: 'oauth_registrations', id: 'oauth_user_registration_id', type: 'oauth' },
];

/** Does for all new rows of a statement what `tell_webhooks` did for each. */
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

function swapTrigger(table: string, name: string, call: string): readonly string[] {
  return [
    `drop trigger ${name} on ${table}`,
    `create trigger ${name} after insert on ${table} referencing new table as added for each statement
       execute function ${call}`,
  ];
}

/**
 * A quarter of the time of an import went into function calls for each row: the webhooks of new rows are written once for each
 * statement, and the parts of a text are collected in a loop, which takes half as long as a query. The array may contain a part
 * twice and is in another order: the index keeps each once, and compares sets.
 */
export const IMPORTS_IN_BULK: StepwiseMigration = {
  steps: [
    [
      `create or replace function text_grams(whole text) returns text[] language plpgsql immutable strict parallel safe as $$
       declare
         l text := lower(whole);
         grams text[] := '{}';
       begin
         for i in 1 .. length(l) - 2 loop grams := grams || substr(l, i, 3); end loop;
         return grams;
       end $$`,
      tellAdded('tell_added', 'true'),
      tellAdded('tell_added_verified', 'verified'),
      tellAdded('tell_added_known', `status = 'active' or managed`),
    ],
    swapTrigger('users', 'webhook_created', `tell_added_known('user.created')`),
    ...METHODS.map(({ table, id, type, verified }) =>
      swapTrigger(
        table,
        'webhook_added',
        `${verified === true ? 'tell_added_verified' : 'tell_added'}('factor.added', 'factor_id', '${id}', '${type}')`,
      ),
    ),
  ],
};
