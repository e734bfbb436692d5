import { sql } from 'kysely';
import { shownGrants } from '#server-rules/connected-apps.ts';
import { delegateRefusal } from '#domain/rules/delegates.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { actorIn, auditCall } from '#provider/base/audit/record.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Routes } from '#provider/accounts/sessions/reading/contract.ts';
import type { Services } from '#provider/accounts/services.ts';
import { findApps } from '#provider/project/registry/connected-apps.ts';
import { clientOfFamily, grantsOf, revokeGrant } from './grants.ts';
import { holdSession } from '#provider/accounts/sessions/reading/admission.ts';

/** When each app of the user last got tokens, for a code or a refresh token. */
async function lastUses(db: Db, userId: string): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .selectFrom('oauth_grants')
    .innerJoin('oauth_token_families', 'oauth_token_families.grant_id', 'oauth_grants.grant_id')
    .leftJoin('oauth_refresh_tokens', 'oauth_refresh_tokens.family_id', 'oauth_token_families.family_id')
    .select([
      'client_id',
      sql<Date>`max(greatest(oauth_token_families.created_at, oauth_refresh_tokens.created_at))`.as('used_at'),
    ])
    .where('oauth_grants.user_id', '=', userId)
    .groupBy('client_id')
    .execute();
  return new Map(rows.map(({ client_id, used_at }) => [client_id, new Date(used_at)]));
}

/** Lists the apps that the user granted access. Apps and scopes that the project no longer has are not shown. */
export async function grantedApps(services: Pick<Services, 'db' | 'project'>, userId: string) {
  const grants = await grantsOf(services.db, userId);
  const clients = await findApps(
    services,
    grants.map(({ client_id }) => client_id),
  );
  const uses = await lastUses(services.db, userId);
  return shownGrants({ ...services.project, clients }, grants).map((app) => {
    const agent = clients.find(({ client_id }) => client_id === app.connected_app_id)?.agent;
    const used = uses.get(app.connected_app_id);
    return {
      ...app,
      ...(agent === undefined ? {} : { client_origin: agent.origin }),
      ...(typeof agent?.host === 'string' ? { client_host: agent.host } : {}),
      ...(used === undefined ? {} : { last_used_at: used.toISOString() }),
    };
  });
}

const connectedApps: Routes['users']['connectedApps'] = async (services, { session }) => ({
  connected_apps: await grantedApps(services, session.user_id),
});

/** Revokes the grant, the app's tokens and the sessions made from them. */
const revokeConnectedApp: Routes['users']['revokeConnectedApp'] = async (
  services,
  { params, caller, session: current },
) => {
  const revoked = await transaction(services.db, async (tx) => {
    const { session, user } = await holdSession(services, tx, current);
    // An app can give up its own grant, but no other app's.
    if (session.family_id !== null && (await clientOfFamily(tx, session.family_id)) !== params.id) {
      throw delegateRefusal(session);
    }
    if (!(await revokeGrant(tx, user, params.id))) return false;
    const details = { client_id: params.id };
    await auditCall(services, tx, caller, { user_id: user.user_id, actor: actorIn(session), details });
    return true;
  });
  if (!revoked) throw new Refusal('connected_app_not_found');
  return {};
};

/** The endpoints of a user's connected apps. */
export const appsOfUser: Pick<Routes['users'], 'connectedApps' | 'revokeConnectedApp'> = {
  connectedApps,
  revokeConnectedApp,
};
