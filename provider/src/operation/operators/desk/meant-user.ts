import { Refusal } from '#domain/rules/refusal.ts';
import { findContact } from '#provider/accounts/users/contacts.ts';
import type { Db } from '#provider/base/db/database.ts';

/** The id of the user that an operator names by id, external id, address or number. */
export async function meantUser(db: Db, text: string): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('user_id')
    .where((where) => where.or([where('user_id', '=', text), where('external_id', '=', text)]))
    .executeTakeFirst();
  const found = user ?? (await findContact(db, 'email', text)) ?? (await findContact(db, 'phone', text));
  if (found === undefined) throw new Refusal('user_not_found');
  return found.user_id;
}
