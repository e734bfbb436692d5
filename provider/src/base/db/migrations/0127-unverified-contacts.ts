import type { StepwiseMigration } from '../migration.ts';

const TABLES = ['emails', 'phone_numbers'] as const;
type ContactTable = (typeof TABLES)[number];

/**
 * A sign-up writes its user in the statement that writes the contact, where the trigger does not see the user yet: both have the same
 * time then, but for milliseconds.
 */
const FUNCTION = `create function contact_user_created() returns trigger language plpgsql as $$
  begin
    new.user_created_at := coalesce((select created_at from users where user_id = new.user_id), new.created_at);
    return new;
  end $$`;

const trigger = (
  table: ContactTable,
): string => `create trigger user_created before insert or update of verified, user_id on ${table}
  for each row when (not new.verified) execute function contact_user_created()`;

const backFill = (table: ContactTable): string => `with due as (
    select user_id from ${table} where not verified and user_id > $1 order by user_id limit $2),
  done as (update ${table} as contact set user_created_at = users.created_at from users
    where users.user_id = contact.user_id and contact.user_id in (select user_id from due)
      and not verified and user_created_at is null)
  select max(user_id) as cursor from due`;

/**
 * When the user of a contact that is not verified was created: a search for such contacts shows the oldest users first, which are read by
 * an index on this column.
 */
export const UNVERIFIED_CONTACTS: StepwiseMigration = {
  steps: [
    [FUNCTION],
    ...TABLES.flatMap((table) => [
      [`alter table ${table} add column user_created_at timestamptz`, trigger(table)],
      { backFill: backFill(table) },
    ]),
  ],
};

export const UNVERIFIED_ORDER: readonly string[] = TABLES.map(
  (table) =>
    `create index concurrently if not exists ${table}_unverified_order on ${table} (user_created_at, user_id) where not verified`,
);
