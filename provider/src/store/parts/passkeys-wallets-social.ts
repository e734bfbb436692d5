import type { User } from '../../../../src/domain/user.ts';
import type { Db } from '../../db/tables.ts';

/** A user's passkeys, wallets and social logins, as the wire shows them. */
export async function passkeysWalletsSocialOf(
  _db: Db,
  _userId: string,
): Promise<Pick<User, 'providers' | 'webauthn_registrations' | 'crypto_wallets'>> {
  return { providers: [], webauthn_registrations: [], crypto_wallets: [] };
}
