import type { Db } from '../../base/db/database.ts';
import { seal, unseal } from '../../base/security/seal.ts';
import type { Services } from '../services.ts';
import type { SessionRow } from '../sessions/tables.ts';
import { hasRoom } from '../users/room.ts';
import { insertRegistration, keepRefreshToken, newRegistration, type SocialIdentity } from './registrations.ts';
import type { OAuthRegistrationsTable } from './tables.ts';

/** The account that is stored once the session proves the second factor. */
interface PendingIdentity extends SocialIdentity {
  readonly refresh_token: string;
}

/** Remembers the account until its session ends or proves the second factor; the last one of each provider. */
export async function addPending(
  { random, keys }: Pick<Services, 'random' | 'keys'>,
  tx: Db,
  sessionId: string,
  { oauth_user_registration_id: id, provider_type }: OAuthRegistrationsTable,
  pending: PendingIdentity,
): Promise<void> {
  const row = {
    oauth_user_registration_id: id,
    identity: seal(random, keys.codeKey, id, JSON.stringify(pending)),
  };
  await tx
    .insertInto('pending_oauth_registrations')
    .values({ session_id: sessionId, provider_type, ...row })
    .onConflict((conflict) => conflict.columns(['session_id', 'provider_type']).doUpdateSet(row))
    .execute();
}

/**
 * Stores the accounts that waited in the session for its second factor, in the transaction that proves it under the user's lock. An
 * account that another user registered meanwhile stays theirs.
 */
export async function storePending(
  services: Pick<Services, 'random' | 'keys' | 'clock'>,
  tx: Db,
  { session_id, user_id }: Pick<SessionRow, 'session_id' | 'user_id'>,
): Promise<void> {
  const rows = await tx
    .deleteFrom('pending_oauth_registrations')
    .where('session_id', '=', session_id)
    .returningAll()
    .execute();
  for (const { oauth_user_registration_id, identity: sealed } of rows) {
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
