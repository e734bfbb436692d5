import { Refusal } from '#domain/rules/refusal.ts';
import type { BackendRoutes } from '#provider/accounts/sessions/reading/contract.ts';
import { byServer } from '#provider/accounts/account/backend-routes.ts';
import { lockUserOf, userIdOf } from '#provider/accounts/users/backend-user.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { grantedApps } from '../grants/connected-apps.ts';
import { revokeGrant } from '../grants/grants.ts';

/** The endpoints of a user's connected apps, for the app's own server. */
export const backendAppsOfUser: Pick<BackendRoutes['users'], 'connectedApps' | 'revokeConnectedApp'> = {
  async connectedApps(services, { params }) {
    return { connected_apps: await grantedApps(services, await userIdOf(services.db, params.user_id)) };
  },

  /** Ends the grant, the app's tokens and the sessions made from them. */
  async revokeConnectedApp(services, { params, caller }) {
    return transaction(services.db, async (tx) => {
      const user = await lockUserOf(tx, params.user_id);
      if (!(await revokeGrant(tx, user, params.app_id))) throw new Refusal('connected_app_not_found');
      await byServer(services, tx, caller, user.user_id, { client_id: params.app_id });
      return {};
    });
  },
};
