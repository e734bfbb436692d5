import { PASSWORD_METHOD, staleProof, withAdditionMark, withoutMethods } from '#server-rules/fresh-proof.ts';
import type { NewFactor } from '#domain/rules/factors.ts';
import { isActive, lacksEnrolled } from '#server-rules/mfa-policy.ts';
import type { Refusal } from '#domain/rules/refusal.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { ServerState } from './state.ts';
import type { LiveSession } from './tables.ts';
import { readUser } from './user-rows.ts';

/** The ids of the login methods that were added in the session, after it began. */
function addedIn(
  state: ServerState,
  { user_id, session_id }: Pick<LiveSession, 'user_id' | 'session_id'>,
): ReadonlySet<string> {
  const { password } = readUser(state, user_id);
  const ids = [...state.addedIn].flatMap(([id, session]) =>
    session === session_id && !state.olderThanSession.has(id) ? [id] : [],
  );
  return new Set(ids.map((id) => (id === password?.password_id ? PASSWORD_METHOD : id)));
}

/** True if the user has a second factor besides the added ones: an authenticator app, or another one that the project accepts. */
function hasSecondFactor(state: ServerState, userId: string, added: ReadonlySet<string>): boolean {
  const { mfa: rules } = state.settings;
  const user = withoutMethods(readUser(state, userId), added);
  if (user.totps.some(({ verified }) => verified)) return true;
  return isActive(rules) && lacksEnrolled(rules, { ...user, mfa_policy: null }, []);
}

/** The factor as the session stores it. In the fake, no method counts as new only because of its age. */
export function markedFactor(
  state: ServerState,
  factor: NewFactor,
  before: readonly AuthenticationFactor[],
  session: Pick<LiveSession, 'user_id' | 'session_id'>,
): NewFactor {
  const additions = { here: addedIn(state, session), young: new Set<string>(), hasOlder: true };
  return withAdditionMark(factor, before, additions, state.now());
}

/** Why the last proof of the session is not fresh; null if it is. */
export function staleProofOf(state: ServerState, session: LiveSession): Refusal | null {
  const added = addedIn(state, session);
  return staleProof(session, {
    hasSecondFactor: hasSecondFactor(state, session.user_id, added),
    added,
    now: state.now(),
  });
}
