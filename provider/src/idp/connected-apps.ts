import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { clientType, scopesFor } from './clients.ts';
import { clientOfFamily, grantsOf, revokeGrant } from './grants.ts';
import { delegateRefusal, holdSession, isImpersonated, withSession } from '../sessions/current.ts';

/**
 * Lists the apps that the user granted access. An app or scope that the project file no longer lists is not shown and
 * has no access.
 */
export const connectedApps: Routes['users']['connectedApps'] = withSession(async (services, { session }) => {
  const grants = await grantsOf(services.db, session.user_id);
  return {
    connected_apps: grants.flatMap(({ client_id, scopes }) => {
      const app = services.project.clients.find((client) => client.client_id === client_id);
      if (app === undefined) return [];
      const { name, description, logo_url } = app;
      const allowed = scopesFor(services.project, app);
      const scopes_granted = scopes.filter((scope) => allowed.includes(scope)).join(' ');
      return [
        { connected_app_id: client_id, name, description, client_type: clientType(app), logo_url, scopes_granted },
      ];
    }),
  };
});

/** Revokes the grant, the app's tokens and the sessions made from them. */
export const revokeConnectedApp: Routes['users']['revokeConnectedApp'] = withSession(
  async (services, { params, session: current }) => {
    if (isImpersonated(current)) throw delegateRefusal(current);
    const revoked = await transaction(services.db, async (tx) => {
      const { session, user } = await holdSession(services, tx, current);
      // An app can give up its own grant, and no other app's.
      if (session.family_id !== null && (await clientOfFamily(tx, session.family_id)) !== params.id) {
        throw delegateRefusal(session);
      }
      return revokeGrant(tx, user, params.id);
    });
    if (!revoked) throw new Refusal('connected_app_not_found');
    return {};
  },
);
