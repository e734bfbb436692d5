import { shownGrants } from '../../../../src/domain/rules/connected-apps.ts';
import { delegateRefusal } from '../../../../src/domain/rules/delegates.ts';
import { isImpersonated } from '../../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { actorIn, auditCall } from '../../base/audit/record.ts';
import { transaction } from '../../base/db/transaction.ts';
import type { Routes } from '../../accounts/sessions/contract.ts';
import type { Services } from '../../accounts/services.ts';
import { findApps } from '../../project/connected-apps.ts';
import { clientOfFamily, grantsOf, revokeGrant } from './grants.ts';
import { holdSession, withSession } from '../../accounts/sessions/current.ts';

/** Lists the apps that the user granted access. An app or scope that the project no longer has is not shown. */
export async function grantedApps(services: Pick<Services, 'db' | 'project'>, userId: string) {
  const grants = await grantsOf(services.db, userId);
  const ids = grants.map(({ client_id }) => client_id);
  return shownGrants({ ...services.project, clients: await findApps(services, ids) }, grants);
}

const connectedApps: Routes['users']['connectedApps'] = withSession(async (services, { session }) => ({
  connected_apps: await grantedApps(services, session.user_id),
}));

/** Revokes the grant, the app's tokens and the sessions made from them. */
const revokeConnectedApp: Routes['users']['revokeConnectedApp'] = withSession(
  async (services, { params, caller, session: current }) => {
    if (isImpersonated(current)) throw delegateRefusal(current);
    const revoked = await transaction(services.db, async (tx) => {
      const { session, user } = await holdSession(services, tx, current);
      // An app can give up its own grant, and no other app's.
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
  },
);

/** The endpoints of a user's connected apps. */
export const appsOfUser: Pick<Routes['users'], 'connectedApps' | 'revokeConnectedApp'> = {
  connectedApps,
  revokeConnectedApp,
};
