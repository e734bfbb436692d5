import { sql } from 'kysely';
import { endsWith, factorIdsOf, grantAfter, reachAfter, type AccessEnd, type Reach } from '#server-rules/provenance.ts';
import { sameJson } from '#domain/json.ts';
import type { Db } from '#provider/base/db/database.ts';
import { forgetDevices } from '#provider/base/security/known-networks.ts';
import type { Services } from '../../services.ts';
import { dropUnverifiedTotp, endOldSessions } from '../../users/belongings.ts';
import type { LockedUser } from '../../users/lock.ts';
import type { SessionRow } from '../tables.ts';

/**
 * Ends a session: both forms of its secret are refused from now on. Sessions that apps made from authorizations given in it end, too,
 * unless the user let the app act without them (`offline_access`).
 */
export async function endSession(db: Db, sessionId: string): Promise<boolean> {
  const families = await db
    .selectFrom('oauth_token_families')
    .innerJoin('sessions', 'sessions.family_id', 'oauth_token_families.family_id')
    .select(['oauth_token_families.family_id', 'oauth_token_families.scopes'])
    .where('oauth_token_families.session_id', '=', sessionId)
    .execute();
  const passing = families.filter(({ scopes }) => !scopes.includes('offline_access')).map(({ family_id }) => family_id);
  if (passing.length > 0) await db.deleteFrom('sessions').where('family_id', 'in', passing).execute();
  const row = await db
    .deleteFrom('sessions')
    .where('session_id', '=', sessionId)
    .returning('session_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Ends every session that relies on one of these removed login methods. Also ends what was authorized or begun in one: grants, codes and
 * tokens of apps, sessions made from these, and pending additions.
 *
 * @param keptSessionId the session in which the login method was removed, which continues
 * @returns the ids of the sessions that ended
 */
export async function endSessionsOfFactors(
  tx: Db,
  user: LockedUser,
  factor_ids: readonly string[],
  keptSessionId: string | null,
): Promise<readonly string[]> {
  return endMany(tx, user, { keptSessionId, factor_ids }, (session) =>
    factorIdsOf(session).some((id) => factor_ids.includes(id)),
  );
}

/**
 * Ends all live sessions of the user but one, and what was authorized or begun in them. What was authorized in sessions that had already
 * ended stays. Resolves with the ids of the sessions that it ended.
 */
export async function endOtherSessions(
  { clock }: Pick<Services, 'clock'>,
  tx: Db,
  user: LockedUser,
  keptSessionId: string | null,
): Promise<readonly string[]> {
  const now = clock.now();
  await endOldSessions(tx, user);
  // The browsers of the ending sessions are no longer the user's, so from now on they share the strangers' limits.
  await forgetDevices(tx, user.user_id);
  return endMany(tx, user, { keptSessionId, factor_ids: [] }, ({ expires_at }) => expires_at.getTime() > now);
}

/** How many sessions one statement ends. There may be very many, and a statement that takes seconds is cancelled. */
const BATCH = 5000;

/** The ids as rows, because a statement has at most 65,535 parameters, and somebody may have made more sessions than that. */
const each = (ids: readonly string[]) => sql<string>`(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

async function endMany(
  tx: Db,
  user: LockedUser,
  which: Omit<AccessEnd, 'session_ids'>,
  ends: (session: Pick<SessionRow, 'authentication_factors' | 'expires_at'>) => boolean,
): Promise<readonly string[]> {
  const { user_id } = user;
  const sessions = await tx
    .selectFrom('sessions')
    .select(['session_id', 'authentication_factors', 'expires_at'])
    .where('user_id', '=', user_id)
    .execute();
  const ending = sessions.filter((session) => session.session_id !== which.keptSessionId && ends(session));
  const session_ids = new Set(ending.map(({ session_id }) => session_id));
  // Grants before sessions: the same order as when all access of a user ends.
  await endGivenAccess(tx, user, { ...which, session_ids });
  const ids = [...session_ids];
  for (let at = 0; at < ids.length; at += BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- a statement has little time, and a transaction has one connection
    await tx
      .deleteFrom('sessions')
      .where('session_id', 'in', each(ids.slice(at, at + BATCH)))
      .execute();
  }
  await dropPending(tx, user, which.keptSessionId);
  return ids;
}

/**
 * The APIs that a grant still allows; null if none is left. A grant without APIs is older than this record, and is for the project's own.
 */
function apisAfter(reach: Reach, families: Parameters<typeof reachAfter>[1], accessEnd: AccessEnd): Reach | null {
  if (Object.keys(reach).length === 0) return reach;
  const rest = reachAfter(reach, families, accessEnd);
  return Object.keys(rest).length === 0 ? null : rest;
}

/** Ends the authorizations given in the ending sessions, and removes from the grants what only these sessions gave. */
async function endGivenAccess(tx: Db, { user_id }: LockedUser, accessEnd: AccessEnd): Promise<void> {
  const grants = await tx
    .selectFrom('oauth_grants')
    .select(['grant_id', 'scopes', 'given_in', 'audiences'])
    .where('user_id', '=', user_id)
    .orderBy('grant_id')
    .forUpdate()
    .execute();
  for (const { grant_id, audiences, ...granted } of grants) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    const families = await tx
      .selectFrom('oauth_token_families')
      .select(['family_id', 'session_id', 'factor_ids', 'scopes', 'audiences'])
      .where('grant_id', '=', grant_id)
      .execute();
    const grant = grantAfter(granted, families, accessEnd);
    const reach = apisAfter(audiences, families, accessEnd);
    if (grant.scopes.length === 0 || reach === null) {
      // oxlint-disable-next-line no-await-in-loop
      await tx.deleteFrom('oauth_grants').where('grant_id', '=', grant_id).execute();
      continue;
    }
    const over = families.filter((family) => endsWith(accessEnd, family)).map(({ family_id }) => family_id);
    if (over.length > 0) {
      // oxlint-disable-next-line no-await-in-loop
      await tx.deleteFrom('oauth_token_families').where('family_id', 'in', each(over)).execute();
    }
    const isSame = grant.scopes.length === granted.scopes.length && sameJson(reach, audiences);
    if (isSame && over.length === 0) continue;
    // oxlint-disable-next-line no-await-in-loop
    await tx
      .updateTable('oauth_grants')
      .set({
        scopes: JSON.stringify(grant.scopes),
        given_in: JSON.stringify(grant.given_in),
        audiences: JSON.stringify(reach),
      })
      .where('grant_id', '=', grant_id)
      .execute();
  }
}

/**
 * Ends what sessions began and did not finish: links, codes and challenges that add something. Nothing records which session began them, so
 * those of the continuing session end as well, except social logins. What the app's own server vouched for stays, unless a login method
 * changes as well (`end_pending`).
 */
async function dropPending(tx: Db, user: LockedUser, keptSessionId: string | null): Promise<void> {
  const { user_id } = user;
  await dropUnverifiedTotp(tx, user);
  await tx.deleteFrom('magic_links').where('adds_to', '=', user_id).where('needs_session', '=', true).execute();
  await tx.deleteFrom('passcodes').where('adds_to', '=', user_id).where('needs_session', '=', true).execute();
  await tx
    .with('logins', (also) => also.deleteFrom('intermediate_sessions').where('user_id', '=', user_id))
    .with('browsers', (also) => also.deleteFrom('trusted_devices').where('user_id', '=', user_id))
    .deleteFrom('webauthn_challenges')
    .where('user_id', '=', user_id)
    .execute();
  await tx.deleteFrom('wallet_challenges').where('user_id', '=', user_id).where('needs_session', '=', true).execute();
  // `oauth_tokens`: the provider has answered, but the session has not presented the token yet.
  for (const table of ['oauth_attach_tokens', 'oauth_flows', 'oauth_tokens'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    await tx
      .deleteFrom(table)
      .where('user_id', '=', user_id)
      .where('session_id', 'is not', null)
      .where('session_id', '!=', keptSessionId ?? '')
      .execute();
  }
  const others = tx.selectFrom('sessions').select('session_id').where('user_id', '=', user_id);
  await tx
    .deleteFrom('pending_oauth_registrations')
    .where('session_id', 'in', others.where('session_id', '!=', keptSessionId ?? ''))
    .execute();
}
