import { transaction } from '../db/transaction.ts';
import type { Routes } from '../http/endpoints.ts';
import { Refusal } from '../http/refusal.ts';
import { clientType, scopesFor } from './clients.ts';
import { clientOfFamily, grantsOf, revokeGrant } from './grants.ts';
import { delegateRefusal } from '../sessions/store.ts';
import { holdSession, requireSession } from '../sessions/authenticated.ts';

/**
 * What the user lets other apps do. An app or a scope that left the project file is not shown,
 * and can do nothing.
 */
export const connectedApps: Routes['users']['connectedApps'] = async (services, { caller }) => {
  const { row } = await requireSession(services, caller);
  const grants = await grantsOf(services.db, row.user_id);
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
};

/** Takes back what was granted, and ends with it the app's tokens and the sessions made from them. */
export const revokeConnectedApp: Routes['users']['revokeConnectedApp'] = async (services, { params, caller }) => {
  const revoked = await transaction(services.db, async (tx) => {
    const { row, user } = await holdSession(services, tx, caller);
    // An app may give up what it was granted, and end no other one.
    if (row.family_id !== null && (await clientOfFamily(tx, row.family_id)) !== params.id) throw delegateRefusal(row);
    return revokeGrant(tx, user, params.id);
  });
  if (!revoked) throw new Refusal('connected_app_not_found');
  return {};
};
