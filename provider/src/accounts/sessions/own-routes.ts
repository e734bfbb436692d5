import { listedSession, placeOf, sessionPage, type SessionPage } from '#domain/rules/listed-session.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { actorIn, auditCall } from '#provider/base/audit/record.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Routes } from './reading/contract.ts';
import type { Services } from '../services.ts';
import { holdSession } from './reading/admission.ts';
import type { CurrentSession } from './reading/current.ts';
import { endOtherSessions } from './rows/ending.ts';
import { isBound } from './rows/find.ts';
import { revokeOf, sessionsOf } from './rows/store.ts';
import { forgetBrowserOf, trustedDevicesOf } from './factors/trusted-devices.ts';

/** The number of ids of ended sessions in one audit row. */
const NAMED = 100;

async function listed(
  services: Pick<Services, 'db' | 'clock' | 'project' | 'uses'>,
  { session_id: current, user_id }: CurrentSession,
  cursor?: string,
): Promise<SessionPage> {
  const after = cursor === undefined ? undefined : placeOf(cursor);
  const rows = await sessionsOf(services, services.db, { user_id, after });
  const devices = await trustedDevicesOf(services, user_id);
  return sessionPage(
    rows.map((row) =>
      listedSession(
        {
          ...row,
          device_bound: isBound(row),
          device_trusted: devices.some(({ device_id }) => device_id === row.trusted_device_id),
          started_at: row.started_at.toISOString(),
          last_accessed_at: row.last_accessed_at.toISOString(),
          expires_at: row.expires_at.toISOString(),
        },
        current,
      ),
    ),
  );
}

/** Apps and impersonators cannot see where else the user is signed in, or end those sessions. */
export const ownSessions: Routes['ownSessions'] = {
  list: async (services, { session }) => listed(services, session),
  listAfter: async (services, { session, params }) => listed(services, session, params.cursor),

  revokeOther: async (services, { params, caller, session }) => {
    const hasEnded = await transaction(services.db, async (tx) => {
      const lock = await holdSession(services, tx, session);
      const ending = await revokeOf(services, tx, lock.user, params.session_id);
      if (ending === undefined) return false;
      if (params.session_id !== session.session_id) await forgetBrowserOf(tx, ending);
      const details = { session_ids: [params.session_id] };
      await auditCall(services, tx, caller, { user_id: lock.user.user_id, actor: actorIn(lock.session), details });
      return true;
    });
    if (!hasEnded) throw new Refusal('live_session_not_found');
    if (params.session_id === session.session_id) caller.session.end();
    return {};
  },

  revokeOthers: async (services, { caller, session }) => {
    await transaction(services.db, async (tx) => {
      const lock = await holdSession(services, tx, session);
      const sessionIds = await endOtherSessions(services, tx, lock.user, lock.session.session_id);
      const details = { count: sessionIds.length, session_ids: sessionIds.slice(0, NAMED) };
      await auditCall(services, tx, caller, { user_id: lock.user.user_id, actor: actorIn(lock.session), details });
    });
    return {};
  },
};
