import { users } from '#application/api/index.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import { listedSession } from '#domain/rules/listed-session.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { requireSession } from '../state/admission.ts';
import type { Answers } from '../state/answers.ts';
import { endAccess } from '../state/belongings.ts';
import { connectedAppsOf } from './idp.ts';
import { trustedDevicesOf } from './mfa.ts';
import { liveSessions, withTrust } from './sessions.ts';
import type { ServerState } from '../state/state.ts';
import { endTrust, readUser, removeRows } from '../state/user-rows.ts';

const NO_ONE = { ip_address: '', user_agent: '' };

function removeUser(state: ServerState, userId: string): void {
  endAccess(state, userId, null, 'all');
  endTrust(state, userId);
  removeRows(state.consents, userId);
  removeRows(state.passkeys, userId);
  for (const table of [state.acceptedTerms, state.totps, state.passwords, state.recoveries, state.users])
    table.delete(userId);
}

/** The data of the signed-in user, and the end of the account. */
export function answerAccountData(answers: Answers, state: ServerState): void {
  answers
    .to(users.export, (_, caller) => {
      const { user_id, session_id } = requireSession(state, caller);
      const accepted_terms = state.acceptedTerms.get(user_id);
      return {
        data: {
          exported_at: state.stamp(),
          user: readUser(state, user_id),
          ...(accepted_terms && { accepted_terms }),
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
      const { user_id } = requireSession(state, caller);
      if (!state.settings.accountDeletion) throw new Refusal('route_not_found');
      removeUser(state, user_id);
      return { user_id };
    });
}
