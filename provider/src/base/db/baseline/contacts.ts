/**
 * The default is for sign-ups: they write the user and the contact in one statement, so the trigger does not see the user yet. Both times
 * then differ only by milliseconds.
 */
const USER_CREATED = `create function contact_user_created() returns trigger language plpgsql as $$
  begin
    new.user_created_at := coalesce((select created_at from users where user_id = new.user_id), new.created_at);
    return new;
  end $$`;

/**
 * Locks the user of a contact, and then reads the contact. Each statement of a function sees what was committed before it began, in this
 * case what the previous holder of the lock wrote. Locking the contact, too, would write its page to the write-ahead log at nearly every
 * login.
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

/** The statements for each kind of contact. */
export const CONTACTS: readonly string[] = [
  USER_CREATED,
  ...['emails', 'phone_numbers'].map(
    (table) => `create trigger user_created before insert or update of verified, user_id on ${table}
  for each row when (not new.verified) execute function contact_user_created()`,
  ),
  underLock('email_under_lock', 'emails', 'email_id', 'email'),
  underLock('phone_number_under_lock', 'phone_numbers', 'phone_id', 'phone_number'),
];
