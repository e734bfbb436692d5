import { listedSession, placeOf, sessionPage, type SessionPlace } from '#domain/rules/listed-session.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import type { AccountEventRecord } from '#domain/account/account-data.ts';
import type { ListedSession } from '#domain/sessions/session.ts';
import type { Routes } from '#provider/accounts/sessions/reading/contract.ts';
import { isBound } from '#provider/accounts/sessions/rows/find.ts';
import { sessionsOf } from '#provider/accounts/sessions/rows/store.ts';
import { trustedDevicesOf } from '#provider/accounts/sessions/factors/trusted-devices.ts';
import type { Services } from '#provider/accounts/services.ts';
import { readWholeUser, withRoles } from '#provider/accounts/users/read-user.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { take } from '#provider/base/security/limits.ts';
import { grantedApps } from '../grants/connected-apps.ts';

/** The limit is low: the file is large, and rarely needed. */
const EXPORTS_PER_USER = { max: 20, windowMs: 60 * MINUTE_MS };

/** The most entries of each list in the file. The newest are kept. */
const MOST_SESSIONS = 1000;
const MOST_EVENTS = 5000;
const NO_ONE = { ip_address: '', user_agent: '' };

/** The live sessions, in the form of their list. If an operator acts for the user, the address and browser are the operator's. */
async function sessionsIn(
  services: Pick<Services, 'db' | 'clock' | 'project' | 'uses'>,
  user_id: string,
  current: string,
): Promise<readonly ListedSession[]> {
  const found: ListedSession[] = [];
  const devices = await trustedDevicesOf(services, user_id);
  let after: SessionPlace | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const rows = await sessionsOf(services, services.db, { user_id, after });
    const page = sessionPage(
      rows.map((row) => {
        const { started_at, last_accessed_at, expires_at, attributes } = row;
        const times = {
          device_bound: isBound(row),
          device_trusted: devices.some(({ device_id }) => device_id === row.trusted_device_id),
          started_at: started_at.toISOString(),
          last_accessed_at: last_accessed_at.toISOString(),
          expires_at: expires_at.toISOString(),
        };
        return listedSession({ ...row, ...times, attributes: isImpersonated(row) ? NO_ONE : attributes }, current);
      }),
    );
    found.push(...page.sessions);
    after = page.next_cursor === null ? undefined : placeOf(page.next_cursor);
  } while (after !== undefined && found.length < MOST_SESSIONS);
  return found;
}

/** The newest events about the user, sorted from old to new. Their details and the names of other people are not for users. */
async function eventsOf({ db }: Pick<Services, 'db'>, userId: string): Promise<readonly AccountEventRecord[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['created_at', 'event', 'outcome', 'actor_kind', 'method'])
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(MOST_EVENTS)
    .execute();
  return rows
    .map(({ created_at, actor_kind, ...entry }) => ({
      ...entry,
      created_at: created_at.toISOString(),
      actor: actor_kind,
    }))
    .reverse();
}

/** The data of the signed-in user, to download. */
export const dataOfUser: Pick<Routes['users'], 'export'> = {
  export: async (services, { session: { user_id, session_id } }) => {
    await take(services, `exports:${user_id}`, EXPORTS_PER_USER, 'too_many_requests');
    const whole = await readWholeUser(services.db, user_id);
    if (whole === undefined) throw new Refusal('unauthorized_credentials');
    const { accepted_terms } = whole;
    return {
      data: {
        exported_at: new Date(services.clock.now()).toISOString(),
        user: withRoles(services.project, whole),
        ...(Object.keys(accepted_terms).length === 0 ? {} : { accepted_terms }),
        sessions: await sessionsIn(services, user_id, session_id),
        trusted_devices: await trustedDevicesOf(services, user_id),
        connected_apps: await grantedApps(services, user_id),
        audit_log: await eventsOf(services, user_id),
      },
    };
  },
};
