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

/**
 * Does for all rows of a statement what `note_change` and `end_partial_trust` did for each. `any` of an array is looked up in the
 * index whatever the plan was made for; a join of the new rows may be planned as a read of the whole table.
 */
function noteAdded(name: string, condition: string): string {
  const told = (table: string): string =>
    `select user_id from ${table} where user_id = any (owners) and verified and xmin <> mine`;
  return `create function ${name}() returns trigger language plpgsql as $$
   declare
     owners text[] := array(select user_id from added where ${condition});
     mine xid := pg_current_xact_id()::xid;
   begin
     if owners = '{}' then return null; end if;
     delete from intermediate_sessions where user_id = any (owners);
     delete from trusted_devices where user_id = any (owners);
     owners := array(${told('emails')} union ${told('phone_numbers')});
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

/**
 * The notes of new login methods, written once for each statement: half of the time of an import went into a function call for each row.
 * Updates and deletes are of single rows, and stay as they are. Each table is a step, so that no transaction waits for all of them.
 */
export const NOTES_OF_MANY: StepwiseMigration = {
  steps: [
    [noteAdded('note_added', 'true'), noteAdded('note_added_verified', 'verified')],
    ...METHODS.map(({ table, id, type, verified }) => [
      `drop trigger notice_added on ${table}`,
      `drop trigger trust_added on ${table}`,
      `create trigger notice_added after insert on ${table} referencing new table as added for each statement
         execute function ${verified === true ? 'note_added_verified' : 'note_added'}('${type}', '${id}')`,
    ]),
  ],
};
