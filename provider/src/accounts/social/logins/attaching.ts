import { OAUTH_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { accountOfAnother, checkAttachee, type Attachee } from '#server-rules/social-attach.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { takeForUser } from '#provider/base/security/limits.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services, SessionServices } from '../../services.ts';
import { holdSession, requireSessionFor, type AdmittedSession } from '../../sessions/reading/admission.ts';
import type { Caller, CurrentSession } from '../../sessions/reading/current.ts';
import { lockUser, type LockedUser } from '../../users/lock.ts';
import { requireRoom } from '../../users/room.ts';
import type { NamedUser } from '../../sessions/reading/named-user.ts';
import {
  findRegistration,
  insertRegistration,
  newRegistration,
  refreshRegistration,
  type SocialIdentity,
} from '../../social-accounts/registrations.ts';
import type { OAuthRegistrationsTable } from '../../social-accounts/tables.ts';

const TOKEN_MS = OAUTH_TOKEN_MINUTES * MINUTE_MS;

/** A token that attaches one account of the provider, with any address, to the user. */
export async function issueAttachToken(
  services: SessionServices & Pick<Services, 'limits'>,
  provider: string,
  { user_id, session }: NamedUser,
): Promise<string> {
  if (session !== null) await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
  const token = newToken(services.random);
  await transaction(services.db, async (tx) => {
    if (session !== null) await holdSession(services, tx, session);
    else if ((await lockUser(tx, user_id)) === undefined) throw new Refusal('user_not_found');
    const expires_at = new Date(services.clock.now() + TOKEN_MS);
    await tx
      .insertInto('oauth_attach_tokens')
      .values({
        token_hash: tokenHash(token),
        user_id,
        session_id: session?.session_id ?? null,
        provider_type: provider,
        expires_at,
      })
      .execute();
  });
  return token;
}

/**
 * Spends the token and returns the user to attach the account to. Refuses an unknown, used or expired token. Runs under the user's lock, in
 * the transaction that stores the login, so that whatever ends the token also ends the login.
 */
export async function redeemAttachToken(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  provider: string,
  token: string,
): Promise<Attachee> {
  const token_hash = tokenHash(token);
  const row = tx.selectFrom('oauth_attach_tokens').select('user_id').where('token_hash', '=', token_hash);
  const found = await row.executeTakeFirst();
  if (found !== undefined) await lockUser(tx, found.user_id);
  const attachee = await tx
    .deleteFrom('oauth_attach_tokens')
    .where('token_hash', '=', token_hash)
    .where('provider_type', '=', provider)
    .where('expires_at', '>', new Date(clock.now()))
    .returning(['user_id', 'session_id'])
    .executeTakeFirst();
  if (attachee === undefined) throw new Refusal('oauth_token_not_found');
  return attachee;
}

/** Spends the tokens, of any provider. */
export async function spendAttachTokens({ db }: Pick<Services, 'db'>, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return;
  const hashes = tokens.map((token) => tokenHash(token));
  await db.deleteFrom('oauth_attach_tokens').where('token_hash', 'in', hashes).execute();
}

/** The session in which the account is attached; undefined if the app's own server vouched for the user and presents none. */
export async function attachingSession(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  attachee: Attachee,
  caller: Caller,
  by: 'page' | 'server',
): Promise<AdmittedSession | undefined> {
  const isNeeded = attachee.session_id !== null || (by === 'server' && caller.session.isPresented);
  const current = isNeeded ? await requireSessionFor(services, 'adds', caller) : undefined;
  checkAttachee(attachee, current, by);
  return current;
}

/** Locks the user. Refuses a session that ended meanwhile, acts for the user, or lacks the second factor. */
export async function lockAttachee(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  { user_id }: Attachee,
  session: AdmittedSession | undefined,
): Promise<LockedUser> {
  if (session !== undefined) return (await holdSession(services, tx, session)).user;
  const user = await lockUser(tx, user_id);
  if (user === undefined) throw new Refusal('oauth_token_not_found');
  return user;
}

/** Adds a provider's account to the user, with any address. Refuses an account of another user. */
export async function attachRegistration(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  { user_id }: LockedUser,
  identity: SocialIdentity,
  session: CurrentSession | undefined,
): Promise<OAuthRegistrationsTable> {
  const owner = { user_id, session_id: session?.session_id ?? null };
  const registration = newRegistration(services, owner, identity);
  const record = await findRegistration(tx, identity);
  if (record === undefined) {
    await requireRoom(tx, 'oauth_registrations', user_id);
    if (await insertRegistration(tx, registration)) return registration;
  }
  if (record?.user_id !== user_id) throw accountOfAnother();
  return refreshRegistration(tx, record, identity.profile);
}
