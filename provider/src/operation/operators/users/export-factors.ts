import type { Db } from '#provider/base/db/database.ts';
import type { User } from '#domain/users/user.ts';

/** The fields of a line that have no secrets: passkeys by their public keys, social accounts and wallets. Empty lists are left out. */
export async function factorLines(db: Db, userIds: readonly string[]) {
  const passkeys =
    userIds.length === 0
      ? []
      : await db
          .selectFrom('webauthn_registrations')
          .selectAll()
          .where('user_id', 'in', userIds)
          // A disputed passkey lets nobody in, and must not do so elsewhere.
          .where('disputed_in', 'is', null)
          .orderBy('created_at')
          .orderBy('webauthn_registration_id')
          .execute();
  return ({ user_id, providers, crypto_wallets }: User) => {
    const own = passkeys.filter((passkey) => passkey.user_id === user_id);
    return {
      ...(own.length === 0 ? {} : { passkeys: own.map(passkeyLine) }),
      ...(providers.length === 0
        ? {}
        : {
            social_accounts: providers.map(({ provider_type: provider, provider_subject: subject }) => ({
              provider,
              subject,
              email: null,
            })),
          }),
      ...(crypto_wallets.length === 0
        ? {}
        : {
            wallets: crypto_wallets.map(({ crypto_wallet_type: type, crypto_wallet_address: address }) => ({
              type,
              address,
            })),
          }),
    };
  };
}

interface StoredPasskey {
  readonly credential_id: string;
  readonly public_key: string;
  readonly sign_count: number;
  readonly transports: readonly string[];
  readonly domain: string;
  readonly user_handle: string | null;
  readonly name: string;
  readonly created_at: Date;
  readonly backed_up: boolean | null;
  readonly backup_eligible: boolean | null;
}

function passkeyLine(passkey: StoredPasskey) {
  const { credential_id, public_key, sign_count, transports, domain, user_handle, name, created_at } = passkey;
  const { backed_up, backup_eligible } = passkey;
  return {
    credential_id,
    public_key,
    counter: sign_count,
    transports: [...transports],
    rp_id: domain,
    user_handle,
    name,
    created_at: created_at.toISOString(),
    backed_up,
    backup_eligible,
  };
}
