import type { User, WebauthnRegistration } from '../../../src/domain/user.ts';
import type { Db } from '../db/database.ts';
import type { WebauthnRegistrationsTable } from '../passkeys/tables.ts';

/** A user's passkeys, wallets and social logins, as the wire shows them. */
export async function passkeysWalletsSocialOf(
  db: Db,
  userId: string,
): Promise<Pick<User, 'providers' | 'webauthn_registrations' | 'crypto_wallets'>> {
  const providers = await db
    .selectFrom('oauth_registrations')
    .select(['oauth_user_registration_id', 'provider_type', 'provider_subject', 'profile_picture_url', 'locale'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const passkeys = await db
    .selectFrom('webauthn_registrations')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  const wallets = await db
    .selectFrom('crypto_wallets')
    .select(['crypto_wallet_id', 'crypto_wallet_address', 'crypto_wallet_type'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return {
    providers,
    webauthn_registrations: passkeys.map(webauthnRegistrationFrom),
    crypto_wallets: wallets.map((wallet) => ({ ...wallet, verified: true })),
  };
}

/** The registration as the wire shows one. */
export function webauthnRegistrationFrom(
  row: Pick<
    WebauthnRegistrationsTable,
    'webauthn_registration_id' | 'domain' | 'user_agent' | 'authenticator_type' | 'name'
  >,
): WebauthnRegistration {
  const { webauthn_registration_id, domain, user_agent, authenticator_type, name } = row;
  return { webauthn_registration_id, domain, user_agent, authenticator_type, verified: true, name };
}

const REGISTRATIONS = {
  webauthn: ['webauthn_registrations', 'webauthn_registration_id'],
  oauth: ['oauth_registrations', 'oauth_user_registration_id'],
  crypto_wallet: ['crypto_wallets', 'crypto_wallet_id'],
} as const;

/** Removes a registration of this user. False when the user has none of that id. */
export async function removeRegistration(
  tx: Db,
  kind: keyof typeof REGISTRATIONS,
  id: string,
  userId: string,
): Promise<boolean> {
  const [table, column] = REGISTRATIONS[kind];
  const removed = await tx
    .deleteFrom(table)
    .where(tx.dynamic.ref(column), '=', id)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return removed !== undefined;
}
