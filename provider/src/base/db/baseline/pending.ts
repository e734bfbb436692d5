import { counted, METHODS } from './methods.ts';

/** The tables of unfinished actions that a session, or the app's own server, has begun for a user. `owners` are the users. */
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
 * Ends everything that is pending, because it belongs to the login methods, password and policy that the account had when it began. Grants
 * are locked before their codes, in the order in which an app redeems them.
 *
 * The codes of `spared` sessions stay: a page creates a passkey automatically right after a login, while the app redeems its code.
 */
const END_PENDING = `create function end_pending(owners text[], spared text[]) returns void language plpgsql as $$
  begin
    perform from oauth_grants g where g.user_id = any (owners)
      and exists (select from authorization_codes c where ${UNSPENT}) order by g.grant_id for update;
    delete from authorization_codes c using oauth_grants g where g.user_id = any (owners) and ${UNSPENT};
    ${PENDING.map((rows) => `delete from ${rows};`).join('\n    ')}
  end $$`;

const methodTriggers = METHODS.flatMap((method) => {
  const { table, verified } = method;
  const end = 'execute function end_partial_trust()';
  return [
    ...(verified === true
      ? [
          `create trigger trust_changed after update of verified on ${table} for each row
             when (old.verified is distinct from new.verified) ${end}`,
        ]
      : []),
    `create trigger trust_removed after delete on ${table} for each row when (${counted(method)}) ${end}`,
  ];
});

/**
 * A change of a login method or password, or of the policy for the user, ends pending actions and the trust in browsers. Triggers do this,
 * so it works for every statement.
 */
export const PENDING_ENDS: readonly string[] = [
  END_PENDING,
  `create function end_partial_trust() returns trigger language plpgsql as $$
   declare
     owner text := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
   begin
     perform end_pending(array[owner], '{}');
     delete from trusted_devices where user_id = owner;
     return null;
   end $$`,
  ...methodTriggers,
  // A new password also ends the requirement to reset it; the same password with a stronger hash does not.
  `create trigger trust_changed after update of requires_reset on passwords for each row
     when (old.hash is distinct from new.hash) execute function end_partial_trust()`,
  `create function end_pending_of_user() returns trigger language plpgsql as $$
   begin
     perform end_pending(array[new.user_id], '{}');
     return null;
   end $$`,
  `create trigger policy_changed after update of mfa_policy, given_roles on users for each row
     when (old.mfa_policy is distinct from new.mfa_policy or old.given_roles is distinct from new.given_roles)
     execute function end_pending_of_user()`,
];
