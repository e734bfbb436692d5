import type { User } from '../../../src/domain/user.ts';
import type { Db } from '../db/database.ts';

/** A user's phone numbers, authenticator apps and password, as the wire shows them. */
export async function passwordsAndPhonesOf(
  db: Db,
  userId: string,
): Promise<Pick<User, 'phone_numbers' | 'totps' | 'password'>> {
  const phone_numbers = await db
    .selectFrom('phone_numbers')
    .select(['phone_id', 'phone_number', 'verified'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const totps = await db.selectFrom('totps').select(['totp_id', 'verified']).where('user_id', '=', userId).execute();
  const password = await db
    .selectFrom('passwords')
    .select(['password_id', 'requires_reset'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { phone_numbers, totps, password: password ?? null };
}
