import { users } from '../../../application/api/index.ts';
import { isImpersonated } from '../../../domain/rules/factors.ts';
import { checkFreshProof, PASSWORD_METHOD, withoutMethods } from '../../../domain/rules/fresh-proof.ts';
import { listedSession } from '../../../domain/rules/listed-session.ts';
import { isActive, lacksEnrolled } from '../../../domain/rules/mfa-policy.ts';
import { Refusal } from '../../../domain/rules/refusal.ts';
import type { Answers } from './answers.ts';
import { endAccess, removeRows } from './belongings.ts';
import { connectedAppsOf } from './idp.ts';
import { trustedDevicesOf } from './mfa.ts';
import { liveSessions, withTrust } from './sessions.ts';
import { requireProvenSession } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';
import { endTrust, readUser } from './user-rows.ts';

const NO_ONE = { ip_address: '', user_agent: '' };

/** The ids of the login methods that were added in the session, after it began. */
function addedIn(state: ServerState, { user_id, session_id }: LiveSession): ReadonlySet<string> {
  const { password } = readUser(state, user_id);
  const ids = [...state.addedIn].flatMap(([id, session]) =>
    session === session_id && !state.olderThanSession.has(id) ? [id] : [],
  );
  return new Set(ids.map((id) => (id === password?.password_id ? PASSWORD_METHOD : id)));
}

/** Whether the user has a second factor beside the added ones: an authenticator app, or another one that the project accepts. */
function hasSecondFactor(state: ServerState, userId: string, added: ReadonlySet<string>): boolean {
  const { mfa: rules } = state.settings;
  const user = withoutMethods(readUser(state, userId), added);
  if (user.totps.some(({ verified }) => verified)) return true;
  return isActive(rules) && lacksEnrolled(rules, { ...user, mfa_policy: null }, []);
}

function removeUser(state: ServerState, userId: string): void {
  endAccess(state, userId, null, 'all');
  endTrust(state, userId);
  removeRows(state.consents, userId);
  removeRows(state.passkeys, userId);
  for (const table of [state.totps, state.passwords, state.recoveries, state.users]) table.delete(userId);
}

/** The data of the signed-in user, and the end of the account. */
export function answerAccountData(answers: Answers, state: ServerState): void {
  answers
    .to(users.export, (_, caller) => {
      const { user_id, session_id } = requireProvenSession(state, caller);
      return {
        data: {
          exported_at: state.stamp(),
          user: readUser(state, user_id),
          sessions: liveSessions(state, user_id).map((session) =>
            listedSession(
              { ...withTrust(state, session), ...(isImpersonated(session) && { attributes: NO_ONE }) },
              session_id,
            ),
          ),
          trusted_devices: trustedDevicesOf(state, user_id),
          connected_apps: connectedAppsOf(state, user_id),
          audit_log: [],
        },
      };
    })
    .to(users.delete, (_, caller) => {
      const session = requireProvenSession(state, caller);
      const { user_id } = session;
      if (!state.settings.accountDeletion) throw new Refusal('route_not_found');
      const added = addedIn(state, session);
      checkFreshProof(session, { hasSecondFactor: hasSecondFactor(state, user_id, added), added, now: state.now() });
      removeUser(state, user_id);
      return { user_id };
    });
}
