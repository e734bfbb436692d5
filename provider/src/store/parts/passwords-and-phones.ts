import type { User } from '../../../../src/domain/user.ts';
import type { Db } from '../../db/tables.ts';

/** A user's phone numbers, authenticator apps and password, as the wire shows them. */
export async function passwordsAndPhonesOf(
  _db: Db,
  _userId: string,
): Promise<Pick<User, 'phone_numbers' | 'totps' | 'password'>> {
  return { phone_numbers: [], totps: [], password: null };
}
