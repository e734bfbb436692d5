import type { Migration } from '../migration.ts';

const has = (table: string, condition = 'true'): string =>
  `exists (select from ${table} t where t.user_id = u.user_id and ${condition})`;

/** What shows that a user has logged in. An operator may act for a user who has not: such a session shows nothing. */
const CAME_IN = [
  has('emails', 't.verified'),
  has('phone_numbers', 't.verified'),
  ...['passwords', 'oauth_registrations', 'crypto_wallets', 'webauthn_registrations'].map((table) => has(table)),
  has('sessions', `not t.authentication_factors @> '[{"type": "impersonated"}]'`),
].join(' or ');

/**
 * Whether the app's own server or an operator made the user, as far as that is known. The log has a row for each such user, unless they are
 * older than the log. Then the server must at least have written their name and metadata, which no visitor has changed since.
 */
const MADE = `u.managed and (${has('audit_log', `t.event in ('user_created', 'user_imported')`)}
  or (u.vouched and not ${has('audit_log', `t.event = 'user_invited'`)} and not ${has('magic_links', `t.purpose = 'invite'`)}
    and u.created_at < coalesce((select min(created_at) from audit_log), 'infinity')))`;

/**
 * How each user came. All users so far count as come in until the second step finds those of whom nothing shows it: only their rows are
 * changed. The trigger is for servers of an older version, which make users without these columns.
 */
export const ARRIVALS: Migration = {
  steps: [
    [
      `alter table users add column arrival text, add column came_in boolean not null default true,
         add column roles_named boolean not null default false`,
      `alter table users alter column came_in set default false`,
      `alter table users add constraint users_arrival check (arrival in ('alone', 'made')) not valid`,
      `create function note_arrival() returns trigger language plpgsql as $$
       begin
         new.arrival := case when new.managed then 'made' else 'alone' end;
         return new;
       end $$`,
      `create trigger arrival_noted before insert on users for each row when (new.arrival is null)
         execute function note_arrival()`,
    ],
    {
      backFill: `with page as (select user_id from users where user_id > $1 order by user_id limit $2),
        done as (update users u set came_in = false, roles_named = u.managed, arrival = case when ${MADE} then 'made' else 'alone' end
          where u.user_id in (select user_id from page) and u.arrival is null and not (${CAME_IN}))
        select max(user_id) as cursor from page`,
    },
  ],
};
