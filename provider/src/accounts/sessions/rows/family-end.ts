import { scopesFor } from '#server-rules/connected-apps.ts';
import { MINUTE_MS } from '#domain/rules/lifetimes.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Services } from '../../services.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';

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
