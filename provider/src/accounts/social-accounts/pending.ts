import type { Db } from '#provider/base/db/database.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import { hasRoom } from '../users/room.ts';
import { insertRegistration, keepRefreshToken, newRegistration, type SocialIdentity } from './registrations.ts';
import type { OAuthRegistrationsTable, PendingAccount } from './tables.ts';

interface SessionOfUser {
  readonly session_id: string;
  readonly user_id: string;
}

/** The account to store once the session proves the second factor. */
interface PendingIdentity extends SocialIdentity {
  readonly refresh_token: string;
}

/** The account, sealed, to store with its session or with the login that lacks a factor. */
export function pendingAccount(
  { random, keys }: Pick<Services, 'random' | 'keys'>,
  { oauth_user_registration_id, provider_type }: OAuthRegistrationsTable,
  pending: PendingIdentity,
): PendingAccount {
  const identity = seal(random, keys.codeKey, oauth_user_registration_id, JSON.stringify(pending));
  return { provider_type, oauth_user_registration_id, identity };
}

/** Keeps accounts until their session ends or proves the second factor. Only the last one of each provider is kept. */
export async function keepInSession(tx: Db, session_id: string, accounts: readonly PendingAccount[]): Promise<void> {
  for (const { provider_type, ...row } of accounts) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx
      .insertInto('pending_oauth_registrations')
      .values({ session_id, provider_type, ...row })
      .onConflict((conflict) => conflict.columns(['session_id', 'provider_type']).doUpdateSet(row))
      .execute();
  }
}

/** Keeps an account until the login that lacks a factor ends or is complete. Only the last one of each provider is kept. */
export async function keepInStep(tx: Db, token: string, account: PendingAccount): Promise<void> {
  const step = tx.selectFrom('intermediate_sessions').select('pending_accounts');
  const token_hash = tokenHash(token);
  const found = await step.where('token_hash', '=', token_hash).executeTakeFirst();
  const others = (found?.pending_accounts ?? []).filter((each) => each.provider_type !== account.provider_type);
  await tx
    .updateTable('intermediate_sessions')
    .set({ pending_accounts: JSON.stringify([...others, account]) })
    .where('token_hash', '=', token_hash)
    .execute();
}

/**
 * Stores the accounts that waited for the session's second factor. Runs in the transaction that proves it, under the user's lock. If
 * another user registered an account meanwhile, they keep it.
 */
export async function storePending(
  services: Pick<Services, 'random' | 'keys' | 'clock'>,
  tx: Db,
  session: SessionOfUser,
): Promise<void> {
  const rows = await tx
    .deleteFrom('pending_oauth_registrations')
    .where('session_id', '=', session.session_id)
    .returningAll()
    .execute();
  await storeAccounts(services, tx, session, rows);
}

/** Adds the waiting accounts to the user, whose second factor is proved now. */
export async function storeAccounts(
  services: Pick<Services, 'random' | 'keys' | 'clock'>,
  tx: Db,
  { session_id, user_id }: SessionOfUser,
  accounts: readonly PendingAccount[],
): Promise<void> {
  for (const { oauth_user_registration_id, identity: sealed } of accounts) {
    const opened = unseal(services.keys.codeKey, oauth_user_registration_id, sealed);
    const { refresh_token, ...identity } = JSON.parse(opened) as PendingIdentity;
    const registration = {
      ...newRegistration(services, { user_id, session_id }, identity),
      oauth_user_registration_id,
    };
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    if (!(await hasRoom(tx, 'oauth_registrations', user_id))) return;
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    if (await insertRegistration(tx, registration)) await keepRefreshToken(services, tx, registration, refresh_token);
  }
}
