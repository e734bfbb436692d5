import { sql, type RawBuilder } from 'kysely';
import { scopesFor } from '#server-rules/connected-apps.ts';
import { absoluteEnd, MINUTE_MS, sessionEnd } from '#domain/rules/lifetimes.ts';
import type { Db } from '#provider/base/db/database.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';
import type { Services } from '../../services.ts';
import type { SessionRow } from '../tables.ts';

/** When a session ends, and the latest time it can be extended to. */
export interface Lifetime {
  readonly end: Date;
  readonly latest: Date;
}

/**
 * The only rule for the end of a session that starts, is joined or is extended, for all calls. A session that an app made from its tokens
 * ends with the tokens; if they have ended, it ends now.
 *
 * @param minutes the requested lifetime, from now; null to keep the end
 */
export async function lifetimeOf(
  { project, clock }: Pick<Services, 'project' | 'clock'>,
  db: Db,
  { started_at, expires_at, family_id }: Pick<SessionRow, 'started_at' | 'family_id'> & { readonly expires_at?: Date },
  minutes: number | null,
): Promise<Lifetime> {
  const now = clock.now();
  const ownEnd = absoluteEnd(project, started_at.getTime());
  const latest = family_id === null ? ownEnd : Math.min(ownEnd, (await endOfFamily({ db, project }, family_id)) ?? now);
  const times = { now, minutes, latest, ...(expires_at === undefined ? {} : { endsAt: expires_at.getTime() }) };
  return { end: new Date(sessionEnd(project, times)), latest: new Date(latest) };
}

/** The end to store. It accounts for another request that extends the session at the same time. */
export function storedEnd({ end, latest }: Lifetime): RawBuilder<Date> {
  return sql<Date>`least(greatest(expires_at, ${end}::timestamptz), ${latest}::timestamptz)`;
}

/** In a transaction `db` is the transaction: the embedded database has one connection. */
type FamilyServices = Pick<Services, 'project'> & { readonly db: Db };

/**
 * The latest end of a session that an app made from these tokens, in milliseconds since 1970; null if none may exist.
 *
 * With `offline_access` the user let the app act without them, so the session lasts until the app's last refresh token expires. Otherwise
 * it lasts until the access token expires, but no longer than the session in which the user authorized the app. In either case the app must
 * still exist and be allowed `full_access`.
 */
export async function endOfFamily({ db, project }: FamilyServices, familyId: string): Promise<number | null> {
  const family = await db
    .selectFrom('oauth_token_families')
    .innerJoin('oauth_grants', 'oauth_grants.grant_id', 'oauth_token_families.grant_id')
    .select(['client_id', 'oauth_token_families.scopes', 'session_id'])
    .where('family_id', '=', familyId)
    .executeTakeFirst();
  const client = family === undefined ? undefined : await findApp({ project, db }, family.client_id);
  if (family === undefined || client === undefined) return null;
  const allowed = scopesFor(project, client);
  if (!allowed.includes('full_access')) return null;
  if (family.scopes.includes('offline_access') && allowed.includes('offline_access')) {
    const refresh = await db
      .selectFrom('oauth_refresh_tokens')
      .select((query) => query.fn.max('expires_at').as('last'))
      .where('family_id', '=', familyId)
      .where('used', '=', false)
      .executeTakeFirst();
    return refresh?.last?.getTime() ?? null;
  }
  const access = await db
    .selectFrom('oauth_access_tokens')
    .select((query) => query.fn.max('expires_at').as('last'))
    .where('family_id', '=', familyId)
    .executeTakeFirst();
  const last = access?.last?.getTime() ?? null;
  if (last === null || family.session_id === null) return last;
  const origin = await db
    .selectFrom('sessions')
    .select(['started_at', 'expires_at'])
    .where('session_id', '=', family.session_id)
    .executeTakeFirst();
  if (origin === undefined) return null;
  const longest = origin.started_at.getTime() + project.session_absolute_minutes * MINUTE_MS;
  return Math.min(last, origin.expires_at.getTime(), longest);
}
