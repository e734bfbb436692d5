import { PASSWORD_METHOD, staleProof, withoutMethods } from '../../../domain/rules/fresh-proof.ts';
import { isActive, lacksEnrolled } from '../../../domain/rules/mfa-policy.ts';
import type { Refusal } from '../../../domain/rules/refusal.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';
import { readUser } from './user-rows.ts';

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

/** Why the last proof of the session does not count as fresh; null for a fresh one. */
export function staleProofOf(state: ServerState, session: LiveSession): Refusal | null {
  const added = addedIn(state, session);
  return staleProof(session, {
    hasSecondFactor: hasSecondFactor(state, session.user_id, added),
    added,
    now: state.now(),
  });
}
