/** What a session, or the app's own server, has begun for a user and nobody has finished. `owners` are the users. */
const PENDING: readonly string[] = [
  'intermediate_sessions where user_id = any (owners)',
  'magic_links where user_id = any (owners) and adds_to is not null',
  'passcodes where user_id = any (owners) and adds_to is not null',
  'webauthn_challenges where user_id = any (owners)',
  'wallet_challenges where user_id = any (owners)',
  'oauth_attach_tokens where user_id = any (owners)',
  'oauth_flows where user_id = any (owners)',
  'oauth_tokens where user_id = any (owners) and attaches',
  `pending_oauth_registrations where session_id in (select s.session_id from sessions s where s.user_id = any (owners))`,
  'totps where user_id = any (owners) and not verified',
];

const UNSPENT = `c.grant_id = g.grant_id and c.family_id is null and (c.session_id = any (spared)) is not true`;

/**
 * Ends everything that is pending. It belongs to the login methods, password and policy that the account had when it began. Grants are
 * locked before their codes, in the order in which an app redeems them.
 *
 * The codes of `spared` sessions stay: a page makes a passkey without a question right after a login, while the app redeems its code.
 */
const END_PENDING = `create function end_pending(owners text[], spared text[]) returns void language plpgsql as $$
  begin
    perform from oauth_grants g where g.user_id = any (owners)
      and exists (select from authorization_codes c where ${UNSPENT}) order by g.grant_id for update;
    delete from authorization_codes c using oauth_grants g where g.user_id = any (owners) and ${UNSPENT};
    ${PENDING.map((rows) => `delete from ${rows};`).join('\n    ')}
  end $$`;

/** Does for all rows of a statement what `note_added` of migration 0090 did, and ends what is pending. */
function noteAdded(name: string, condition: string): string {
  const told = (table: string): string =>
    `select user_id from ${table} where user_id = any (owners) and verified and xmin <> mine`;
  return `create or replace function ${name}() returns trigger language plpgsql as $$
   declare
     owners text[] := array(select user_id from added where ${condition});
     mine xid := pg_current_xact_id()::xid;
   begin
     if owners = '{}' then return null; end if;
     perform end_pending(owners, case when tg_argv[0] = 'webauthn' then array(select added_in from added) else '{}' end);
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
 * A change of a login method or password, or of what the policy requires of the user, ends what was begun before it: triggers see it,
 * whichever statement makes it. `authorization_codes.factors` has what the session had proved when it gave the code.
 */
export const PENDING_ENDS: readonly string[] = [
  `alter table authorization_codes add column factors jsonb`,
  END_PENDING,
  noteAdded('note_added', 'true'),
  noteAdded('note_added_verified', 'verified'),
  `create or replace function end_partial_trust() returns trigger language plpgsql as $$
   declare
     owner text := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
   begin
     perform end_pending(array[owner], '{}');
     delete from trusted_devices where user_id = owner;
     return null;
   end $$`,
  `create function end_pending_of_user() returns trigger language plpgsql as $$
   begin
     perform end_pending(array[new.user_id], '{}');
     return null;
   end $$`,
  `create trigger policy_changed after update of mfa_policy, given_roles on users for each row
     when (old.mfa_policy is distinct from new.mfa_policy or old.given_roles is distinct from new.given_roles)
     execute function end_pending_of_user()`,
];
