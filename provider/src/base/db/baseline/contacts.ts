/**
 * A sign-up writes its user in the statement that writes the contact, where the trigger does not see the user yet: both have the same
 * time then, but for milliseconds.
 */
const USER_CREATED = `create function contact_user_created() returns trigger language plpgsql as $$
  begin
    new.user_created_at := coalesce((select created_at from users where user_id = new.user_id), new.created_at);
    return new;
  end $$`;

/**
 * Locks the user of a contact, and then reads the contact: a statement of a function sees what was committed before it began, here what
 * the one who held the user before did. To lock the contact, too, would write its page to the write-ahead log at nearly every login.
 */
const underLock = (name: string, table: string, id: string, value: string): string =>
  `create function ${name}(contact text)
    returns table (method_id text, user_id text, value text, verified boolean, added_in text, locked_at timestamptz)
    language plpgsql as $$
    declare
      owner text := (select c.user_id from ${table} c where c.${id} = contact);
    begin
      perform from users u where u.user_id = owner for update;
      return query select c.${id}, c.user_id, c.${value}, c.verified, c.added_in, u.locked_at
        from ${table} c join users u on u.user_id = c.user_id where c.${id} = contact and c.user_id = owner;
    end $$`;

/** What is done for each contact. */
export const CONTACTS: readonly string[] = [
  USER_CREATED,
  ...['emails', 'phone_numbers'].map(
    (table) => `create trigger user_created before insert or update of verified, user_id on ${table}
  for each row when (not new.verified) execute function contact_user_created()`,
  ),
  underLock('email_under_lock', 'emails', 'email_id', 'email'),
  underLock('phone_number_under_lock', 'phone_numbers', 'phone_id', 'phone_number'),
];
